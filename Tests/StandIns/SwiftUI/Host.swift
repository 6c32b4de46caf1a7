// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Combine

// A host that shows a view as a system would, for tests. Not part of SwiftUI.
//
// It asks for the body of a view only after something that the view observes has changed: a `@State`, an observed object, or the environment
// that was given. Unlike the system it then asks every view again, not only those that depend on the change.
// A view's state belongs to its place (the path of positions, branches and ids) and its type; it ends when the place is no longer shown.

@MainActor public final class ViewHost {
  /// The size of the window, in points.
  public let size: CGSizeValue
  private let root: any View
  private let environment: EnvironmentValues
  private var boxes: [String: StateBox] = [:]
  private var visited: Set<String> = []
  private var tasks: [String: Task<Void, Never>] = [:]
  private var appearing: [(path: String, action: @MainActor () -> Void)] = []
  private var appeared: Set<String> = []
  private var disappearing: [String: @MainActor () -> Void] = [:]
  private var observed: [ObjectIdentifier: (object: AnyObject, token: AnyCancellable?)] = [:]
  private var isDirty = true
  private var shown: [ViewNode] = []
  /// How often the tree was made.
  public private(set) var renderings = 0

  public init(_ root: some View, width: Double = 390, height: Double = 844, _ configure: (inout ViewHostSettings) -> Void = { _ in }) {
    self.root = root
    size = CGSizeValue(width: width, height: height)
    var settings = ViewHostSettings()
    configure(&settings)
    environment = settings.environment
  }

  /// What is shown now: made anew only if something has changed.
  public var tree: [ViewNode] {
    var rounds = 0
    while isDirty, rounds < 50 {
      rounds += 1
      isDirty = false
      renderings += 1
      visited = []
      appearing = []
      shown = DrawContext(host: self, path: "", environment: environment, size: size).draw(root, at: "root")
      finish()
    }
    precondition(rounds < 50, "Drawing changes what is drawn, without end.")
    return shown
  }

  /// The tree as if it had to be made anew.
  public func redraw() -> [ViewNode] {
    invalidate()
    return tree
  }

  func invalidate() { isDirty = true }

  func box(at path: String, _ make: () -> StateBox) -> StateBox {
    visited.insert(path)
    if let known = boxes[path] { return known }
    let box = make()
    boxes[path] = box
    return box
  }

  func observe(_ object: some ObservableObject) {
    let id = ObjectIdentifier(object)
    guard observed[id] == nil else { return }
    observed[id] = (object, Combine.observe(object) { [weak self] in MainActor.assumeIsolated { self?.invalidate() } })
  }

  func appear(at path: String, _ action: @escaping @MainActor () -> Void) {
    visited.insert(path)
    if !appeared.contains(path) { appearing.append((path, action)) }
  }

  func disappear(at path: String, _ action: @escaping @MainActor () -> Void) {
    visited.insert(path)
    disappearing[path] = action
  }

  func run(at path: String, _ work: Work) {
    appear(at: path) { [weak self] in self?.tasks[path] = Task { await work.run() } }
  }

  private func finish() {
    for path in boxes.keys where !visited.contains(path) { boxes[path] = nil }
    for path in tasks.keys where !visited.contains(path) { tasks.removeValue(forKey: path)?.cancel() }
    for path in disappearing.keys where !visited.contains(path) { disappearing.removeValue(forKey: path)?() }
    appeared.formIntersection(visited)
    for (path, action) in appearing {
      appeared.insert(path)
      action()
    }
  }

  /// Takes the view away, as when a window closes.
  public func close() {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    observed = [:]
  }

  // MARK: What a person does

  /// Every element that is shown, the topmost sheet's alone where one is up.
  public var elements: [ViewNode] {
    let all = tree.flatMap(\.all)
    return all.last { $0.kind == .sheet }.map(\.all) ?? all
  }

  /// The texts that are shown, in order.
  public var texts: [String] { elements.filter { $0.kind == .text }.compactMap(\.text) }

  /// The buttons, fields and switches that are shown.
  public var controls: [ViewNode] { elements.filter { [.button, .link, .field, .toggle].contains($0.kind) } }

  /// The control that a screen reader names so, else the one with this text in it.
  public func control(_ name: String) -> ViewNode? {
    controls.first { $0.spoken == name } ?? controls.first { $0.identifier == name } ?? controls.first { $0.texts.contains(name) }
      ?? controls.first { $0.spoken.hasPrefix(name) }
  }

  /// Taps a control. Returns whether there was one that takes taps.
  @discardableResult
  public func tap(_ name: String) -> Bool {
    guard let control = control(name), !control.isDisabled, let action = control.action else { return false }
    action()
    return true
  }

  /// Types into a field.
  @discardableResult
  public func type(_ text: String, into name: String) -> Bool {
    guard let control = control(name), !control.isDisabled, let type = control.type else { return false }
    type(text)
    return true
  }

  /// Swipes the topmost sheet away.
  @discardableResult
  public func swipeDown() -> Bool {
    guard let sheet = tree.flatMap(\.all).last(where: { $0.kind == .sheet }), let action = sheet.action else { return false }
    action()
    return true
  }

  /// How many sheets are up.
  public var sheetCount: Int { tree.flatMap(\.all).count { $0.kind == .sheet } }

  /// Whether a sheet is up.
  public var hasSheet: Bool { sheetCount > 0 }
}

/// What a person has set up, for a host.
public struct ViewHostSettings {
  var environment = EnvironmentValues()
  public init() {}
  public var dynamicTypeSize: DynamicTypeSize {
    get { environment.dynamicTypeSize }
    set { environment.dynamicTypeSize = newValue }
  }
  public var layoutDirection: LayoutDirection {
    get { environment.layoutDirection }
    set { environment.layoutDirection = newValue }
  }
  public var contrast: ColorSchemeContrast {
    get { environment.colorSchemeContrast }
    set { environment.set("colorSchemeContrast", newValue) }
  }
  public var reducesMotion: Bool {
    get { environment.accessibilityReduceMotion }
    set { environment.set("accessibilityReduceMotion", newValue) }
  }
  @MainActor public var openURL: OpenURLAction {
    get { environment.openURL }
    set { environment.openURL = newValue }
  }
}

/// A width and a height, in points.
public struct CGSizeValue: Sendable, Equatable {
  public var width, height: Double
}

/// Where a view is drawn.
@MainActor struct DrawContext {
  let host: ViewHost
  var path: String
  var environment: EnvironmentValues
  var size: CGSizeValue

  func entering(_ place: String) -> DrawContext {
    var copy = self
    copy.path += "/" + place
    return copy
  }

  /// Draws a view at a place: its own nodes, or those of its body.
  func draw(_ view: some View, at place: String) -> [ViewNode] {
    let inner = entering(place + ":" + Self.name(of: view))
    if let primitive = view as? any PrimitiveView {
      inner.install(view)
      return primitive.nodes(inner)
    }
    inner.install(view)
    return inner.draw(view.body, at: "body")
  }

  /// Fills in the properties of a view, a modifier or a style, and those within them.
  func install(_ owner: Any) {
    for (number, child) in Mirror(reflecting: owner).children.enumerated() where child.value is any DynamicProperty {
      let place = "\(path)#\(child.label ?? "\(number)")"
      if let property = child.value as? any InstalledProperty { property.install(self, at: place) }
      var inner = self
      inner.path = place
      inner.install(child.value)
    }
  }

  private static func name(of view: some View) -> String {
    let name = String(describing: type(of: view))
    return name.firstIndex(of: "<").map { String(name[..<$0]) } ?? name
  }
}
