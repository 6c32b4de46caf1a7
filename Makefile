.PHONY: test format lint demo bench

test: ## All tests of the repository.
	swift test && swift test --package-path Examples

format: ## Formats in place.
	swift format --in-place --recursive --configuration .swift-format Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests Examples/Benchmarks/Package.swift Examples/Benchmarks/Sources

lint: ## What CI checks of the format.
	swift format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests Examples/Benchmarks/Package.swift Examples/Benchmarks/Sources

demo: ## The main job: a family and a maze app.
	swift run --package-path Examples monetize simulate Examples/Scenarios/maze-packs/family.json

bench: ## What questions, spends, facts and catalogs cost.
	swift run -c release --package-path Examples/Benchmarks
