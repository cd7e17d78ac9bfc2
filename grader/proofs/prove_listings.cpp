#include <algorithm>
#include <map>

#include "files/files.hpp"
#include "process/command.hpp"
#include "proofs/listings.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proofs.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A program of docs/examples, and what it prints; or why it does not.
struct Example {
  std::string source, output, fault;
};

process::Finished finish(std::vector<std::string> words) {
  process::Command command;
  command.words = std::move(words);
  command.wall_limit = 60s;
  command.kept_bytes = std::size_t{1} << 20;
  return process::run(command);
}

Example try_example(Workbench& bench, const fs::path& file) {
  Example example{files::read_file(file), "", ""};
  const lab::Kit& kit = bench.kit();
  const fs::path program = bench.fresh_folder() / "example";
  const auto compiled =
      finish({kit.cxx, "-std=c++20", "-O2", "-Wall", "-Wextra", "-ffp-contract=off",
              "-I" + (kit.source / "common").string(), file.string(), "-o", program.string()});
  if (!compiled.ok()) {
    example.fault = "does not compile: " + text::trim(compiled.err.substr(0, 300));
  } else if (!compiled.err.empty()) {
    example.fault = "compiles with warnings";
  } else {
    const process::Finished ran = finish({program.string()});
    example.output = ran.out;
    if (!ran.ok()) example.fault = "ran and failed";
  }
  return example;
}

std::string fault_of(const Listing& listing, const Example& example) {
  if (!example.fault.empty()) return listing.file + " " + example.fault;
  if (listing.output) {
    const bool there = !listing.text.empty() &&
                       ("\n" + example.output).find("\n" + listing.text) != std::string::npos;
    return there ? "" : listing.file + " does not print this";
  }
  const std::string region = region_of(example.source, listing.region);
  const bool same = listing.text == region || listing.text == moved_left(region);
  return same ? "" : "is not [" + listing.region + "] of " + listing.file;
}

}  // namespace

Proof prove_listings(Workbench& bench, const std::vector<fs::path>& pages) {
  Proof proof{"listings are what runs"};
  const fs::path docs = bench.kit().source / "docs";
  std::vector<std::pair<std::string, Listing>> listings;  // page, listing
  std::map<std::string, Example> examples;
  for (const fs::path& page : pages) {
    const std::string name = fs::relative(page, docs).string();
    try {
      for (Listing& listing : listings_of(files::read_file(page))) {
        examples[listing.file];
        listings.emplace_back(name, std::move(listing));
      }
    } catch (const std::exception& error) {
      proof.count(false, name + ", " + error.what());
    }
  }
  std::vector<std::pair<const std::string, Example>*> all;
  for (auto& entry : examples) all.push_back(&entry);
  parallel("examples", all.size(), bench.options().workers, [&](std::size_t i) {
    try {
      all[i]->second = try_example(bench, docs / all[i]->first);
    } catch (const std::exception& error) {
      all[i]->second.fault = error.what();
    }
  });
  for (const auto& [page, listing] : listings) {
    std::string fault;
    try {
      fault = fault_of(listing, examples.at(listing.file));
    } catch (const std::exception& error) {
      fault = listing.file + ", " + error.what();
    }
    proof.count(fault.empty(), page + ":" + std::to_string(listing.line) + ": " + fault);
  }
  return proof;
}

}  // namespace nibble::proofs
