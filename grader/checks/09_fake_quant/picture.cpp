// Lab 09: the picture.
#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"

namespace nibble::judge::lab_09_fake_quant {
namespace {

/// The grid of docs/examples/09_staircase.cpp.
const Grid kDrawn{1, 0, -2, 3};

/// Each eighth from -4 to 4.
Reals drawn_x() {
  Reals x;
  for (int eighths = -32; eighths <= 32; ++eighths) x.push_back(static_cast<float>(eighths) / 8);
  return x;
}

/// What one of the gradients gives for a tensor of three times the same value: sqrt(n * qmax) is 3,
/// so that a gradient is the slope of one value, and exact.
template <auto gradient>
Reals slopes_by() {
  Reals slopes;
  for (const float x : drawn_x()) {
    slopes.push_back(call<gradient>(Reals{x, x, x}, Reals{1, 1, 1}, kDrawn));
  }
  return slopes;
}

/// `from` says whose values they are.
void draw_curve(Picture& picture, const char* from, record::Curve curve, const auto& ask) {
  draw_answer(picture, from, [&] {
    const Reals values = ask();
    const auto refuse = [&](const std::string& why) {
      picture.notes.push_back(std::string(from) + ": " + why);
    };
    if (values.size() != drawn_x().size()) {
      return refuse("of 65 values came " + std::to_string(values.size()));
    }
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
      return refuse("not all of what came are numbers");
    }
    curve.values.assign(values.begin(), values.end());
    picture.staircase.push_back(curve);
  });
}

Reals drawn_x_hat() {
  Reals x_hat;
  for (const float x : drawn_x()) x_hat.push_back(fake_quantize(x, kDrawn));
  return x_hat;
}

void draw_staircase(Picture& picture) {
  draw_curve(picture, "fake_quantize", {"x_hat", -2, 3, 1, {}}, drawn_x_hat);
  draw_curve(picture, "fake_quantize_backward", {"by x", 0, 1, 1, {}}, [] {
    return call<&fake_quantize_backward>(drawn_x(), Reals(drawn_x().size(), 1.0f), kDrawn);
  });
  draw_curve(picture, "scale_gradient", {"by scale", -2, 3, 4, {}}, slopes_by<&scale_gradient>);
  draw_curve(picture, "zero_point_gradient", {"by zero point", -1, 0, 1, {}},
             slopes_by<&zero_point_gradient>);
}
const bool has_picture = register_picture(
    {"fake_quantize_backward", "scale_gradient", "zero_point_gradient"}, draw_staircase);

}  // namespace
}  // namespace nibble::judge::lab_09_fake_quant
