# Specht: the few commands one needs.  CMake does the work; this file only says what to build and run.
#
#:  make              build the program, build/specht, and the library
#:  make demo         install what is missing, build, run the slider-crank, draw its figures and page
#:  make test         install what is missing, build, run all tests with their sample counts
#:  make test-all     the same with full counts, and again under the sanitizers (long)
#:  make test-sanitize  all tests with their sample counts under the sanitizers (ten minutes on two cores)
#:  make bench        build and run the benchmarks
#:  make fuzz         build the fuzz targets and run each for FUZZ_SECONDS (60)
#:  make install      install to PREFIX (default /usr/local)
#:  make format       format the C sources;  make check-format only looks
#:  make check        the guards of CI: format, layers, code, core, headers, gcc, clang, sanitize, clone
#:  make tidy         clang-tidy over the library, where it is installed
#:  make clean        remove all build folders
#:  make help         this list
#
# Packages are installed with apt-get, and only if something is missing (tools/setup).
# JOBS=n sets how many compilers run at the same time, CMAKE_ARGS adds arguments for CMake.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_ARGS ?=
FUZZ_SECONDS ?= 60

PYTHON := /usr/bin/python3
BUILD := cmake --build
PARALLEL := --parallel $(JOBS)
C_FILES = $(shell find include src tests bench examples -name '*.[ch]' 2>/dev/null)

# Rooms whose tests CI also runs under the sanitizers; `make test-sanitize` and `test-all` run all.
SANITIZE_ROOMS ?= base math expr laws solvers certify impact model kinematics dynamics contact record io \
    integrators run variation analysis

DEMO := build/demo
DEMO_MODEL := examples/slider_crank/slider_crank.yaml
DEMO_TOY := examples/woodpecker/woodpecker_bodies.yaml

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := all

.PHONY: all
all:
	@tools/setup build
	@tools/configure release build $(CMAKE_ARGS)
	@$(BUILD) build $(PARALLEL)

.PHONY: demo
demo:
	@tools/setup demo
	@tools/configure release build $(CMAKE_ARGS)
	@$(BUILD) build $(PARALLEL)
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	build/specht run $(DEMO_TOY) -o $(DEMO)/woodpecker.h5
	build/specht plot $(DEMO)/woodpecker.h5 -o $(DEMO)/
	build/specht run $(DEMO_MODEL) -o $(DEMO)/slider_crank.h5
	build/specht plot $(DEMO)/slider_crank.h5 -o $(DEMO)/
	@tools/list_figures $(DEMO)
	@tools/demo_report build $(DEMO)/woodpecker.h5
	@tools/demo_report build $(DEMO)/slider_crank.h5

.PHONY: test
test:
	@tools/setup test
	@tools/unpack_sundials --if-missing build/sundials
	@tools/configure release build $(CMAKE_ARGS)
	@$(BUILD) build $(PARALLEL) --target all specht_tests
	@tools/run_tests build

.PHONY: test-all
test-all:
	@tools/setup test
	@tools/unpack_sundials --if-missing build/sundials
	@tools/configure release build $(CMAKE_ARGS)
	@tools/configure sanitize build-sanitize $(CMAKE_ARGS)
	@$(BUILD) build $(PARALLEL) --target all specht_tests
	@$(BUILD) build-sanitize $(PARALLEL) --target all specht_tests
	@tools/run_tests --full build build-sanitize

.PHONY: test-sanitize
test-sanitize:
	@tools/setup test
	@tools/configure sanitize build-sanitize $(CMAKE_ARGS)
	@$(BUILD) build-sanitize $(PARALLEL) --target all specht_tests
	@tools/run_tests build-sanitize

.PHONY: bench
bench:
	@tools/setup bench
	@tools/configure bench build-bench $(CMAKE_ARGS)
	@$(BUILD) build-bench $(PARALLEL) --target all specht_bench
	@tools/run_bench build-bench

.PHONY: fuzz
fuzz:
	@tools/setup ci
	@tools/configure fuzz build-fuzz $(CMAKE_ARGS)
	@$(BUILD) build-fuzz $(PARALLEL) --target specht_fuzz
	@tools/run_fuzz build-fuzz $(FUZZ_SECONDS)

.PHONY: install
install: all
	@cmake --install build --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig 2>/dev/null || true; fi

.PHONY: format check-format
format:
	@tools/setup format
	@clang-format -i $(C_FILES)
check-format:
	@tools/setup format
	@clang-format --dry-run -Werror $(C_FILES)

# --- guards ----------------------------------------------------------------------------------------

GUARDS := check-format check-layers check-code check-theory check-core check-headers check-gcc \
    check-clang check-sanitize check-clone
.PHONY: check $(filter-out check-format,$(GUARDS))
check: $(GUARDS)

# Rooms include only what is below them.
check-layers:
	@tools/check_layers

# What makes code hard to change is counted, and never grows.
check-code:
	@tools/count_code

# Equations that comments cite are in the book.
check-theory:
	@tools/check_theory

# The core links with libc and libm alone.
check-core:
	@tools/configure release build $(CMAKE_ARGS)
	@$(BUILD) build $(PARALLEL) --target specht_core specht_core_alone

# Public headers and the sets stand on their own, as C17 and as C++17.
check-headers:
	@tools/setup ci
	@tools/check_headers

check-gcc check-clang: check-%:
	@tools/setup ci
	@tools/configure $* build-$* $(CMAKE_ARGS)
	@$(BUILD) build-$* $(PARALLEL) --target all specht_tests specht_bench

check-sanitize:
	@tools/setup test
	@tools/configure sanitize build-sanitize $(CMAKE_ARGS)
	@$(BUILD) build-sanitize $(PARALLEL) --target all specht_tests
	@tools/run_tests build-sanitize --rooms "$(SANITIZE_ROOMS)"

# What is committed is enough: a clean clone runs the demo and stays clean.
check-clone:
	@tools/check_clone

.PHONY: tidy
tidy: all
	@clang-tidy --quiet -p build $(wildcard src/*/*.c)

.PHONY: clean help
clean:
	@rm -rf build build-*/
help:
	@sed -n 's/^#:  //p' Makefile
