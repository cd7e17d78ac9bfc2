// oneDNN: matmul of int8 by int8, to int32 and to float32 with scales, bias and ReLU. Its interface
// changed between 2 and 3; both are spoken here.
#include <algorithm>
#include <cstdlib>
#include <dnnl.hpp>
#include <stdexcept>
#include <unordered_map>

#include "peer.hpp"

#if __has_include(<omp.h>)
#include <omp.h>
#endif

namespace nibble::peers {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;
using Kind = memory::data_type;
using Tag = memory::format_tag;

constexpr int kPerColumn = 1 << 1;  // a scale for each index of dimension 1

/// A reshaped view of memory that oneDNN will only read.
void* readable(const void* data) { return const_cast<void*>(data); }

/// One primitive with the layout of weights that it asked for.
struct PackedMatmul {
  dnnl::matmul primitive;
  memory packed;
  std::string kernel;
};

class OneDnn : public Peer {
 public:
  void setup(const Problem& problem) override {
    problem_ = problem;
    if (problem.threads != 1 && dnnl_version()->cpu_runtime != DNNL_RUNTIME_OMP) {
      throw std::runtime_error("its threads are not OpenMP's, and one is all it was given");
    }
    const auto [m, n, k] = problem.shape;
    sums_.assign(std::size_t(m) * n, 0);
    reals_.assign(std::size_t(m) * n, 0.0f);
#ifdef _OPENMP
    omp_set_num_threads(problem.threads);
#endif
    a_ = memory({{m, k}, Kind::s8, Tag::ab}, engine_, readable(problem.a));
    b_ = memory({{k, n}, Kind::s8, Tag::ba}, engine_, readable(problem.b_t));
    c_sums_ = memory({{m, n}, Kind::s32, Tag::ab}, engine_, sums_.data());
    c_reals_ = memory({{m, n}, Kind::f32, Tag::ab}, engine_, reals_.data());
    multiply_ = make_multiply();
    fused_ = make_fused();
    pack(multiply_);
    pack(fused_);
  }

  bool can(Operation work) const override {
    return work == Operation::kMultiply || work == Operation::kFused ||
           work == Operation::kPackMultiply || work == Operation::kGemvInt8;
  }

  void run(Operation work) override {
    if (work == Operation::kFused) return run_fused();
    if (work == Operation::kPackMultiply) pack(multiply_);
    multiply_.primitive.execute(
        stream_,
        {{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, multiply_.packed}, {DNNL_ARG_DST, c_sums_}});
    stream_.wait();
  }

  Output output(Operation work) override {
    if (work == Operation::kFused) return std::span<const float>(reals_);
    return std::span<const std::int32_t>(sums_);
  }

  std::string about() const override {
    const dnnl_version_t* version = dnnl_version();
    return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch) + ", " + multiply_.kernel +
           (multiply_.kernel == fused_.kernel ? "" : ", fused " + fused_.kernel);
  }

 private:
  memory::desc any_weights() const {
    return {{problem_.shape.k, problem_.shape.n}, Kind::s8, Tag::any};
  }

  template <typename Description>
  PackedMatmul product_of(const Description& chosen) const {
    return {dnnl::matmul(chosen), memory(chosen.weights_desc(), engine_), chosen.impl_info_str()};
  }

  void pack(PackedMatmul& product) {
    dnnl::reorder(b_, product.packed).execute(stream_, b_, product.packed);
    stream_.wait();
  }

  static primitive_attr with_relu(primitive_attr attributes) {
    dnnl::post_ops after;
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
#else
    after.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
#endif
    attributes.set_post_ops(after);
    return attributes;
  }

#if DNNL_VERSION_MAJOR >= 3
  PackedMatmul make_multiply() const {
    return product_of(
        dnnl::matmul::primitive_desc(engine_, a_.get_desc(), any_weights(), c_sums_.get_desc()));
  }

  PackedMatmul make_fused() {
    const int n = problem_.shape.n;
    primitive_attr attributes;
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, kPerColumn);
    scale_ = memory({{n}, Kind::f32, Tag::a}, engine_, readable(problem_.scale));
    bias_ = memory({{1, n}, Kind::f32, Tag::ab}, engine_, readable(problem_.bias));
    return product_of(dnnl::matmul::primitive_desc(engine_, a_.get_desc(), any_weights(),
                                                   bias_.get_desc(), c_reals_.get_desc(),
                                                   with_relu(attributes)));
  }

  void run_fused() {
    fused_.primitive.execute(stream_, {{DNNL_ARG_SRC, a_},
                                       {DNNL_ARG_WEIGHTS, fused_.packed},
                                       {DNNL_ARG_BIAS, bias_},
                                       {DNNL_ARG_DST, c_reals_},
                                       { DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS,
                                         scale_ }});
    stream_.wait();
  }
#else
  PackedMatmul make_multiply() const {
    return product_of(dnnl::matmul::primitive_desc(
        dnnl::matmul::desc(a_.get_desc(), any_weights(), c_sums_.get_desc()), engine_));
  }

  /// Version 2 computes scale * (sum + bias), so its bias is divided beforehand.
  PackedMatmul make_fused() {
    const int n = problem_.shape.n;
    const std::vector<float> scale(problem_.scale, problem_.scale + n);
    bias_over_scale_.assign(problem_.bias, problem_.bias + n);
    for (int j = 0; j < n; ++j) bias_over_scale_[j] /= scale[j];
    bias_ = memory({{1, n}, Kind::f32, Tag::ab}, engine_, bias_over_scale_.data());
    primitive_attr attributes;
    attributes.set_output_scales(kPerColumn, scale);
    return product_of(dnnl::matmul::primitive_desc(
        dnnl::matmul::desc(a_.get_desc(), any_weights(), bias_.get_desc(), c_reals_.get_desc()),
        with_relu(attributes), engine_));
  }

  void run_fused() {
    fused_.primitive.execute(stream_, {{DNNL_ARG_SRC, a_},
                                       {DNNL_ARG_WEIGHTS, fused_.packed},
                                       {DNNL_ARG_BIAS, bias_},
                                       {DNNL_ARG_DST, c_reals_}});
    stream_.wait();
  }
#endif

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Problem problem_;
  Lines<std::int32_t> sums_;
  Lines<float> reals_;
  std::vector<float> bias_over_scale_;
  memory a_, b_, c_sums_, c_reals_, bias_, scale_;
  PackedMatmul multiply_, fused_;
};

}  // namespace

Peer* open_peer(const char*) {
#ifdef NIBBLE_OPENCL_DRIVER
  // A oneDNN built for SYCL sees the CPU through OpenCL, whose driver came along with it.
  setenv("OCL_ICD_FILENAMES", NIBBLE_OPENCL_DRIVER, 0);
  setenv("DPCPP_CPU_NUM_CUS", "1", 0);
#endif
  return new OneDnn;
}

}  // namespace nibble::peers
