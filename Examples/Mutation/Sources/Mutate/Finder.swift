// SPDX-License-Identifier: Apache-2.0
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every edit that one file offers, in the order of the file.
///
/// Left out: texts and what makes them, default arguments, hashing, and values in declarations of cases and attributes.
final class Finder: SyntaxVisitor {
  /// Functions and properties that make texts, and hashing: no decision depends on them.
  private static let leftOut: Set = ["description", "debugDescription", "text", "words", "hash"]
  private static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
  private static let logic = ["&&": "||", "||": "&&"]
  private static let arithmetic: Set = ["+", "-", "*", "/"]
  private static let opposites = ["min": "max", "max": "min", "first": "last", "last": "first"]

  private(set) var mutants: [Mutant] = []

  static func mutants(in source: String) -> [Mutant] {
    let finder = Finder(viewMode: .sourceAccurate)
    let file = Parser.parse(source: source)
    finder.walk(OperatorTable.standardOperators.foldAll(file) { _ in })
    return finder.mutants
  }

  // MARK: What is left out

  override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: FunctionParameterSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// Code for Apple's systems is not compiled here, so no test could notice an edit of it.
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    let condition = node.condition?.trimmedDescription ?? ""
    return ["canImport(Darwin)", "canImport(Security)"].contains { condition.hasPrefix($0) } ? .skipChildren : .visitChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    Self.leftOut.contains(node.name.text) ? .skipChildren : .visitChildren
  }
  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    Self.leftOut.contains(node.pattern.trimmedDescription) ? .skipChildren : .visitChildren
  }

  // MARK: Values

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
    let (left, right) = (node.leftOperand.flat, node.rightOperand.flat)
    if let other = Self.boundaries[sign] ?? Self.logic[sign] {
      choose("\(left) \(other) \(right)", insteadOf: node)
    } else if sign == "==" || sign == "!=" {
      negate(node, "\(left) \(sign == "==" ? "!=" : "==") \(right)")
    } else if Self.arithmetic.contains(sign), !node.rightOperand.is(StringLiteralExprSyntax.self) {
      choose(left, insteadOf: node)
    } else if sign == "??" {
      add(node.leftOperand, "(# ? nil : ", ")", old: node.flat, new: "nil ?? \(right)")
    }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.parent?.parent?.is(WhileStmtSyntax.self) != true {
      choose(node.literal.text == "true" ? "false" : "true", insteadOf: node, shownIn: node.parent?.parent)
    }
    return .skipChildren
  }

  /// A small number is moved by one, a larger one doubled: what a bound of a million is exactly matters to nothing.
  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if let value = Int(node.literal.text.filter { $0 != "_" }), value < 1 << 40 {
      choose("\(value <= 10 ? value + 1 : value * 2)", insteadOf: node, shownIn: node.parent?.parent)
    }
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name =
      node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
      ?? node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName
    if let name, let opposite = Self.opposites[name.text] { rename(name, to: opposite, in: node) }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.baseName
    let isCalled = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(node).id
    if !isCalled, node.base != nil, ["first", "last"].contains(name.text), let opposite = Self.opposites[name.text] {
      rename(name, to: opposite, in: node)
    }
    return .visitChildren
  }

  // MARK: Conditions and statements

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    if node.elseBody == nil {
      add(node.conditions, "", ", !#", old: "if \(node.conditions.flat)", new: "left out")
    }
    node.conditions.forEach { negate($0) }
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    for element in node.conditions {
      guard case .expression(let condition) = element.condition else { continue }
      add(condition, "(# || (", "))", old: "guard \(condition.flat)", new: "left out")
    }
    node.conditions.forEach { negate($0) }
    return .visitChildren
  }

  override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
    node.conditions.forEach { negate($0) }
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if case .expr(let expression) = node.item, expression.isEffect, node.isStatement {
      add(node.item, "if !# { ", " }", old: expression.flat, new: "left out")
    }
    return .visitChildren
  }

  // MARK: Making mutants

  private func negate(_ element: ConditionElementSyntax) {
    if case .expression(let condition) = element.condition { negate(condition) }
  }

  /// Comparisons for equality are turned already.
  private func negate(_ condition: ExprSyntax) {
    let sign = condition.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription
    if sign != "==", sign != "!=", !condition.is(BooleanLiteralExprSyntax.self) { negate(condition, "!(\(condition.flat))") }
  }

  private func negate(_ node: some ExprSyntaxProtocol, _ new: String) {
    add(node, "((", ") != #)", old: node.flat, new: new)
  }

  private func choose(_ new: String, insteadOf node: some ExprSyntaxProtocol, shownIn whole: Syntax? = nil) {
    add(node, "(# ? \(new) : ", ")", old: whole.map { "\(node.flat) in \($0.flat)" } ?? node.flat, new: new)
  }

  private func rename(_ name: TokenSyntax, to new: String, in node: some ExprSyntaxProtocol) {
    let bytes = Array(node.trimmedDescription.utf8)
    let offset = name.positionAfterSkippingLeadingTrivia.utf8Offset - node.positionAfterSkippingLeadingTrivia.utf8Offset
    let text = bytes[..<offset] + Array(new.utf8) + bytes[(offset + name.text.utf8.count)...]
    choose(String(decoding: text, as: UTF8.self).flat, insteadOf: node)
  }

  private func add(_ node: some SyntaxProtocol, _ before: String, _ after: String, old: String, new: String) {
    // A comment would hide what stands after it on a line.
    guard !before.contains("//") else { return }
    let from = node.positionAfterSkippingLeadingTrivia.utf8Offset
    mutants.append(Mutant(range: from..<from + node.trimmedLength.utf8Length, before: before, after: after, old: old, new: new))
  }
}
