// Everything that one run of the benchmark found.
#pragma once

#include <string>
#include <vector>

#include "compare.hpp"
#include "contender.hpp"
#include "problem.hpp"
#include "stats.hpp"

namespace nibble::peers {

/// One contender at one kind of work on one problem.
struct Score {
  Contender contender{};
  std::string about{};  ///< version and kernel, as the contender says it
  Operation work = Operation::kMultiply;
  MatmulShape shape{};
  std::int64_t count = 0;  ///< elements of a conversion
  std::int32_t threads = 1;
  Comparison comparison{};
  std::vector<double> seconds{};  ///< a call: CPU time for one thread, wall time for two

  Summary time() const { return summary_of(seconds); }
  double operations() const { return 2.0 * shape.m * shape.n * shape.k; }
  /// The least that has to be moved.
  double bytes() const {
    if (count > 0) return 5.0 * double(count);
    return double(weight_bytes(shape, work)) + double(shape.m) * shape.k +
           4.0 * double(shape.m) * shape.n;
  }
  double gops() const { return operations() / time().median * 1e-9; }
  double gigabytes() const { return bytes() / time().median * 1e-9; }
};

/// Who took no part, and why.
struct Absence {
  std::string name, reason, where;
};

/// Samples of one ceiling: billions of operations, or of bytes, a second.
struct Ceiling {
  std::string name{};    ///< "vpdpbusd zmm", "read, 8 MiB"
  std::string family{};  ///< whose kernels it bounds, as in Contender; empty for bandwidths
  std::int32_t threads = 1;
  std::int64_t bytes = 0;  ///< of the buffer
  std::vector<double> samples{};

  Summary rate() const { return summary_of(samples); }
};

struct Results {
  double load = 0;  ///< runnable processes when it began, one-minute mean
  std::vector<Score> rows{};
  std::vector<Absence> absences{};
  std::vector<Ceiling> ceilings{};
};

}  // namespace nibble::peers
