// SPDX-License-Identifier: Apache-2.0

// The public part of the JSON target, `Diagnostic` and `SourcePosition`, is what reading a catalog answers with. An app imports one module.
@_exported public import MonetizeJSON
