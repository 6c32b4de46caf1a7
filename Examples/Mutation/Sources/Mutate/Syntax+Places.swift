// SPDX-License-Identifier: Apache-2.0
import SwiftSyntax

extension String {
  /// On one line.
  var flat: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

extension SyntaxProtocol {
  /// The code on one line, without what stands around it.
  var flat: String { trimmedDescription.flat }
}

extension ExprSyntax {
  /// Whether this is a call or an assignment.
  var isEffect: Bool {
    if let tried = self.as(TryExprSyntax.self) { return tried.expression.isEffect }
    if let awaited = self.as(AwaitExprSyntax.self) { return awaited.expression.isEffect }
    if let infix = self.as(InfixOperatorExprSyntax.self) {
      let sign = infix.operator.trimmedDescription
      return sign == "=" || ["+=", "-=", "*=", "/="].contains(sign)
    }
    guard let call = self.as(FunctionCallExprSyntax.self) else { return false }
    // What ends the process, or makes the value that `self` is.
    let name = call.calledExpression.flat
    return !["fatalError", "precondition", "preconditionFailure", "assert", "super.init", "self.init"].contains(name)
  }
}

extension CodeBlockItemSyntax {
  /// Whether the value of this item is used for nothing, so that the item can be left out.
  ///
  /// Assignments in an initializer are not: each stored property needs its first value.
  var isStatement: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), let owner = list.parent else { return false }
    if isAssignment, isInInitializer { return false }
    return list.count > 1 || owner.isVoid
  }

  private var isAssignment: Bool {
    guard case .expr(let expression) = item else { return false }
    return expression.is(InfixOperatorExprSyntax.self)
  }

  private var isInInitializer: Bool {
    var node = parent
    while let current = node, !current.is(ClosureExprSyntax.self), !current.is(FunctionDeclSyntax.self) {
      if current.is(InitializerDeclSyntax.self) { return true }
      node = current.parent
    }
    return false
  }
}

extension Syntax {
  /// Whether a single item in this block is a statement, and not the value of the block.
  fileprivate var isVoid: Bool {
    if self.is(SwitchCaseSyntax.self) { return parent?.parent?.isUnused ?? false }
    guard self.is(CodeBlockSyntax.self), let owner = parent else { return false }
    if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
    if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text != "get" }
    return owner.is(IfExprSyntax.self) ? owner.isUnused : true
  }

  /// Whether this `if` or `switch` is a statement.
  private var isUnused: Bool {
    guard let parent else { return false }
    if let outer = parent.as(IfExprSyntax.self) { return Syntax(outer).isUnused }
    return parent.as(ExpressionStmtSyntax.self)?.parent?.as(CodeBlockItemSyntax.self)?.isStatement ?? false
  }
}
