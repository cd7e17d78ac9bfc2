// Lab 16's published solution: one row times int8 or int4 weights. Two threads share the outputs.
#include "cpu_int4_gemv.hpp"
#include "isa_names.hpp"
#include "peer.hpp"
#include "two_threads.hpp"

namespace nibble::peers {
namespace {

/// Some outputs, and the weights that make them.
struct Outputs {
  int first, count;
  Lines<std::uint8_t> packed;
};

class Lab16 : public Peer {
 public:
  explicit Lab16(Isa isa) : isa_(isa) {}

  void setup(const Problem& problem) override {
    if (problem.shape.m != 1) throw std::runtime_error("one row only");
    problem_ = problem;
    threads_ = std::make_unique<TwoThreads>(problem.threads);
    c_.assign(std::size_t(problem.shape.n), 0.0f);
    outputs_.clear();
    const int n = problem.shape.n, share = n / problem.threads;
    for (int first = 0; first < n; first += share) outputs_.push_back(packed(first, share));
  }

  bool can(Operation work) const override {
    return work == Operation::kGemvInt8 || work == Operation::kGemvInt4;
  }

  void run(Operation work) override {
    threads_->run([&](int part) {
      const Outputs& outputs = outputs_[part];
      const std::size_t first = outputs.first, count = outputs.count, k = problem_.shape.k;
      const std::span a(problem_.a, k);
      const std::span c = std::span(c_).subspan(first, count);
      if (work == Operation::kGemvInt8) {
        gemv_int8(isa_, a, 1.0f, {problem_.b_t + first * k, count * k},
                  {problem_.scale + first, count}, c);
      } else {
        gemv_int4(isa_, a, 1.0f, outputs.packed, c, shape_of(outputs));
      }
    });
  }

  Output output(Operation) override { return std::span<const float>(c_); }
  std::string about() const override {
    return "lab 16, " + std::string(name_of(isa_)) + ", groups of 128";
  }

 private:
  Int4Shape shape_of(const Outputs& outputs) const {
    return {outputs.count, problem_.shape.k, kInt4Group};
  }

  /// The upper four bits of each int8 code are the int4 code;
  /// a row has one scale in all its groups.
  Outputs packed(int first, int count) const {
    const std::size_t k = problem_.shape.k, groups = k / kInt4Group;
    const std::int8_t* const codes = problem_.b_t + first * k;
    std::vector<std::uint8_t> q4(count * k / 2);
    for (std::size_t i = 0; i < q4.size(); ++i) {
      q4[i] = static_cast<std::uint8_t>((codes[2 * i] >> 4 & 15) | (codes[2 * i + 1] & 0xF0));
    }
    std::vector<float> scales(count * groups);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = problem_.scale[first + i / groups];
    Outputs outputs{first, count, {}};
    outputs.packed.resize(packed_int4_size(shape_of(outputs)));
    pack_int4(q4, scales, outputs.packed, shape_of(outputs));
    return outputs;
  }

  Isa isa_;
  Problem problem_;
  std::unique_ptr<TwoThreads> threads_;
  std::vector<Outputs> outputs_;
  Lines<float> c_;
};

}  // namespace

Peer* open_peer(const char* variant) { return new Lab16(isa_here(variant)); }

}  // namespace nibble::peers
