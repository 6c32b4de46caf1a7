// SPDX-License-Identifier: Apache-2.0

// Re-exports `Diagnostic` and `SourcePosition`, the public types of the JSON target, so that an app imports one module.
@_exported public import MonetizeJSON
