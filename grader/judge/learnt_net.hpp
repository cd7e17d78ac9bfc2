// Nets that have just learnt to read glyphs, and how many images they still name when their layers
// are computed otherwise. Some have channels as in large language models, where a few are 2^8 times
// as large as the others: eight bits ruin them.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "judge/lists.hpp"
#include "nibble/net/images.hpp"
#include "nibble/net/mlp.hpp"

namespace nibble::judge {

/// Which net learns, and from how much. `outliers`: hidden channels that are made large.
struct Lesson {
  std::vector<std::size_t> sizes;  ///< 196 inputs, 10 outputs
  std::size_t images;
  int epochs;
  std::size_t outliers = 0;

  friend auto operator<=>(const Lesson&, const Lesson&) = default;
};

/// Two layers, and between them three channels with outliers.
inline const Lesson kLessonWithOutliers{{196, 32, 10}, 2000, 3, 3};

/// A net, and images that it has not seen.
struct LearntNet {
  Mlp net;
  Images unseen;
  Reals seen_x, x;
  std::size_t right_in_float;

  std::size_t right(const Reals& scores) const;
};

/// W8A8: weights with a scale for each row, inputs with one for all.
Reals linear_in_int8(Linear layer, Reals x);
Reals forward_in_int8(const Mlp& net, Reals x);

/// How many nets are looked at, by how many images that each has not seen, and how many answers
/// fewer in a thousand may be right than in float. One image in 250 changes its class, as often for
/// the better as for the worse: of 4'000 images 10 in a thousand are ten standard deviations.
struct Exam {
  std::size_t nets, images, fewer;
};

/// The scores that run(net) gives name as many images as those in float, but for what `exam`
/// allows. A net learns once a process; of one with outliers, plain W8A8 is known to lose more than
/// 20 points.
void keeps_nets(const Lesson& lesson, const Exam& exam, std::uint64_t seed,
                const std::function<Reals(const LearntNet&)>& run);

}  // namespace nibble::judge
