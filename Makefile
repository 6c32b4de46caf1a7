.PHONY: help nightly test format lint api demo bench proof mutate fuzz pictures

# What is formatted stands in one file, for CI as well.
FORMATTED = $(shell cat .ci/formatted)

test: ## All tests of the repository.
	swift test && swift test --package-path Examples

help: ## Lists these commands.
	@sed -n 's/^\([a-z]*\): ## /\1 /p' Makefile | while read -r name about; do printf '%-13s %s\n' "make $$name" "$$about"; done

format: ## Formats in place.
	swift format --in-place --recursive --configuration .swift-format $(FORMATTED)

lint: ## What CI checks of the format.
	swift format lint --strict --recursive --configuration .swift-format $(FORMATTED)

api: ## Accepts what has changed of the public API since the last commit.
	.ci/check-api --accept

demo: ## The main job: a family and a maze app.
	swift run --package-path Examples monetize simulate Examples/Scenarios/maze-packs/family.json

pictures: ## Takes the pictures of the documents again (Chromium).
	swift build --package-path Examples --product monetize && .ci/pictures

bench: ## What questions, spends, facts and catalogs cost.
	swift run -c release --package-path Examples/Benchmarks

proof: ## Breaks things on purpose, one by one, and prints which requirement's evidence notices; `make proof ONLY=3` breaks one.
	.ci/prove $(ONLY)

mutate: ## Random edits of a module in one build, and which of them no root test notices; `make mutate COUNT=300 SEED=7 MODULE=MonetizePaywalls`.
	.ci/mutate $(or $(COUNT),200) $(or $(SEED),1) $(or $(MODULE),Monetize)

fuzz: ## Ten minutes of random inputs for each of catalog, scenario, state, merge, tools and storekit; `make fuzz ONLY=state`.
	.ci/fuzz $(or $(ONLY),all)

nightly: ## What takes longer than CI may: 20,000 schedules and 100,000 histories, optimized; all benchmarks.
	MONETIZE_OPTIMIZED=1 MONETIZE_SCHEDULES=20000 MONETIZE_HISTORIES=100000 swift test --scratch-path .build-optimized --filter 'StoryTests|HistoryTests'
	swift run -c release --package-path Examples/Benchmarks Benchmarks
