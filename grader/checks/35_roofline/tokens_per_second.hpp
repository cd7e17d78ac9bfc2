// Lab 35, tokens_per_second: what is right, and what people write instead.
#pragma once

#include "roofline.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_35_roofline {

using Writing = Exercise<&tokens_per_second>;

inline void suspect_tokens(Expect& expect, const Writing::Arguments& in, double right) {
  const Decoder& decoder = in.a;
  const Machine& machine = in.b;
  const auto batch = static_cast<double>(decoder.batch);
  const double weights = static_cast<double>(decoder.parameters) * decoder.bits_per_weight;
  const double cache = static_cast<double>(decoder.context * decoder.cache_bytes);
  const double computes = 2 * static_cast<double>(decoder.parameters) * batch / machine.peak;
  const auto tokens = [&](double bytes) {
    return batch / std::max(computes, bytes / machine.bandwidth);
  };
  const std::uint64_t texts = static_cast<std::uint64_t>(decoder.batch);
  const std::uint64_t read =
      texts * static_cast<std::uint64_t>(decoder.context * decoder.cache_bytes);
  const std::uint64_t done = 2 * texts * static_cast<std::uint64_t>(decoder.parameters);
  const double waits = (weights / 8 + batch * cache) / machine.bandwidth;
  constexpr const char* in_64_bits = "a count is kept in 64 bits: it may have more";
  expect.suspect("N-OVERFLOW", "tokens",
                 tokens(weights / 8 + static_cast<double>(static_cast<std::int64_t>(read))),
                 in_64_bits);
  expect.suspect(
      "N-OVERFLOW", "tokens",
      batch / std::max(waits, static_cast<double>(static_cast<std::int64_t>(done)) / machine.peak),
      in_64_bits);
  const double whole =
      static_cast<double>(decoder.parameters) * std::floor(decoder.bits_per_weight);
  if (whole != weights) {
    expect.suspect("N-UNITS", "tokens", tokens(whole / 8 + batch * cache),
                   "bits_per_weight is cut: it need not be an integer");
  }
  expect.suspect("N-UNITS", "tokens", tokens(weights + batch * cache),
                 "bits of weights are taken for bytes");
  expect.suspect("N-UNITS", "tokens", tokens((weights + batch * cache) / 8),
                 "bytes of caches are taken for bits");
  if (decoder.batch > 1) {
    expect.suspect("N-DENOM", "tokens", right / batch,
                   "every text has a step of its own: one step serves all texts");
  }
  expect.suspect("N-INVERSE", "tokens", 1 / right);
  const auto suspect = [&](const char* words, double value) {
    if (value != right) expect.suspect("N-FORMULA", "tokens", value, words);
  };
  suspect("caches are not read", tokens(weights / 8));
  suspect("one text's cache is read for all: each has its own", tokens(weights / 8 + cache));
  suspect("a cache is of one token: a text has as many as context says",
          tokens(weights / 8 + batch * static_cast<double>(decoder.cache_bytes)));
  suspect("weights are read for every text: they are once a step",
          tokens(batch * (weights / 8 + cache)));
  suspect("one after the other: both happen at the same time, and the longer counts",
          batch / (computes + waits));
  // Who takes the shorter of both times answers the same.
  suspect("as if bytes took no time: the longer of two times counts", batch / computes);
  suspect("as if operations took no time: the longer of two times counts", batch / waits);
  suspect("a multiplication and an addition are one operation: they are two",
          batch / std::max(computes / 2, waits));
  suspect("operations are those of one text: each text has its own",
          batch / std::max(computes / batch, waits));
}

inline const Writing writing{
    {"parameters", "bits_per_weight", "cache_bytes", "context", "batch", "peak", "bandwidth"},
    {"tokens"},
    suspect_tokens,
    {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_35_roofline
