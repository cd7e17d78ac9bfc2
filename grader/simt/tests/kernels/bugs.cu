// Planted bugs. The line of each says in brackets which case must name it.
#include <cooperative_groups.h>

#include "case.cuh"

#include <algorithm>

#include "nibble/simt/session.hpp"

// ---- global memory

__global__ void histogram(const int8_t* x, int* h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[(uint8_t)x[i]]++;  // [histogram]
}
__global__ void histogram_atomic(const int8_t* x, int* h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[(uint8_t)x[i]], 1);
}
__global__ void atomic_and_plain(int* h) {
  atomicAdd(h, 1);                   // [atomic_and_plain]
  if (threadIdx.x == 63) h[0] = 7;  // [atomic_and_plain]
}
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];  // [host_pointer] [null_pointer] [use_after_free] [uninitialised] [tail] [before]
}
__global__ void write_one(float* y, int i) {
  if (threadIdx.x == 0) y[i] = 1.0f;  // [writes_freed] [frees_between]
}
__global__ void neighbours(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) x[i] = x[i + 1];  // [neighbours]
}
__global__ void same_value(int* flag) { *flag = 1; }  // [same_value]
__global__ void blocks_overlap(int* out) {
  out[blockIdx.x * 32 + threadIdx.x] = 1;               // [blocks_overlap]
  if (threadIdx.x == 0) out[(blockIdx.x + 1) * 32] = 2;  // [blocks_overlap]
}
__global__ void last_block_writes(const int* x, int* y) {
  y[blockIdx.x] = x[0];                                                  // [last_block_writes]
  if (blockIdx.x == gridDim.x - 1) const_cast<int*>(x)[0] = 5;  // [last_block_writes]
}
__global__ void bytes_apart(int8_t* q) { q[threadIdx.x] = int8_t(threadIdx.x); }
__global__ void bytes_together(int8_t* q) { q[threadIdx.x / 2] = int8_t(threadIdx.x); }  // [bytes_together]
__global__ void byte_in_word(int* w) {
  if (threadIdx.x == 0) w[0] = 1;                                     // [byte_in_word]
  if (threadIdx.x == 1) reinterpret_cast<int8_t*>(w)[2] = 3;  // [byte_in_word]
}
__global__ void misaligned(const float* x, float* out) {
  float4 v = *reinterpret_cast<const float4*>(x + 1);  // [misaligned]
  out[threadIdx.x] = v.x;
}
__global__ void misaligned_int(const int8_t* x, int* out) {
  out[threadIdx.x] = *reinterpret_cast<const int*>(x + threadIdx.x);  // [misaligned_int]
}
__global__ void misaligned_double(double* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = *reinterpret_cast<double*>(s + threadIdx.x);  // [misaligned_double]
}
__global__ void in_a_header(const float* x, float* out, int n) {
  out[threadIdx.x] = std::min(x[threadIdx.x], x[threadIdx.x + n]);  // [in_a_header]
}
__global__ void narrow_index(const int8_t* x, int* out, int64_t i) { out[0] = x[int(i)]; }  // [narrow_index]
__global__ void narrow_write(int8_t* x, int64_t i) { x[unsigned(i)] = 1; }  // [narrow_write]
__global__ void narrow_vector(const int4* x, int4* out, int64_t i) { out[0] = x[int(i)]; }  // [narrow_vector]
__global__ void wide_index(const int8_t* x, int* out, int64_t i) { out[0] = x[i]; }
__global__ void half_written(int8_t* out) {
  __shared__ int8_t bytes[8];
  if (threadIdx.x < 3) bytes[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x];  // [half_written]
}

__global__ void sums_unwritten(int* sums, const int* x) { sums[threadIdx.x] += x[threadIdx.x]; }  // [sums_unwritten]
__global__ void half_a_vector(const float4* x, float4* out) {
  float4 v = x[1024];  // [half_a_vector]
  out[threadIdx.x] = v;
}

// ---- variables of the device, and of the host

__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float factors[4] = {1, 2, 3, 4};
const int kFixed[4] = {10, 20, 30, 40};
int host_counter;

__global__ void reads_variables(int* out) {
  out[threadIdx.x] = table[threadIdx.x % 8] + int(factors[threadIdx.x % 4]) + kFixed[threadIdx.x % 4];
}
__global__ void past_table(int* out, int i) { out[0] = table[i]; }  // [past_table] [far_past_table]
__global__ void past_constant(float* out, int i) { out[0] = factors[i]; }  // [past_constant]
__global__ void before_table(int i) { table[i] = 1; }  // [before_table]
__global__ void table_race() { table[0] = int(threadIdx.x); }  // [table_race]
__global__ void writes_constant(float* p) { p[0] = 1; }  // [writes_constant]
__global__ void host_variable(int* p) { *p = 1; }  // [host_variable]
__global__ void far_out(int8_t* x, long long by) { x[by] = 1; }  // [far_out]

// ---- shared memory

__global__ void past_row(int* out) {
  __shared__ int row[32];
  row[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x + 1];  // [past_row]
}
__global__ void past_dynamic(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;  // [past_dynamic]
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void before_shared(int* out, int i) {
  __shared__ int row[32];
  row[threadIdx.x] = 1;
  out[threadIdx.x] = row[i];  // [before_shared]
}
__global__ void too_much_static(int* out) {
  __shared__ int huge[20000];  // [too_much_static]
  huge[threadIdx.x] = 1;
  out[threadIdx.x] = huge[threadIdx.x];
}
__global__ void never_written(int* out) {
  __shared__ int s[32];
  if (threadIdx.x != 5) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];  // [never_written]
}
__global__ void __launch_bounds__(32, 2) beyond_its_bounds(int* out) {  // [beyond_its_bounds]
  out[threadIdx.x] = 1;
}
__global__ void own_write_first(int* out) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;                   // [own_write_first]
  atomicMax(&most, static_cast<int>(threadIdx.x));  // [own_write_first]
  __syncthreads();
  out[threadIdx.x] = most;
}
__global__ void sum_of_nothing(int* out) {
  __shared__ int sum;
  atomicAdd(&sum, 1);  // [sum_of_nothing]
  __syncthreads();
  out[threadIdx.x] = sum;
}
__global__ void atomic_in_a_block(int* out) {
  atomicMax_block(out, static_cast<int>(blockIdx.x));  // [atomic_in_a_block]
}
__global__ void exchanges_first(int* out) {
  __shared__ int last;
  atomicExch(&last, 7);
  __syncthreads();
  atomicAdd(&last, 1);
  __syncthreads();
  out[threadIdx.x] = last;
}
__global__ void last_blocks_values(int* out) {
  __shared__ int s[32];
  if (blockIdx.x == 0) s[threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];  // [last_blocks_values]
}
__global__ void no_syncwarp(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;       // [no_syncwarp]
  s[t + 32] = t;  // [no_syncwarp]
  for (int k = 32; k > 0; k >>= 1) s[t] += s[t + k];  // [no_syncwarp]
  out[t] = s[0];  // [no_syncwarp]
}
__global__ void with_syncwarp(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = t;
  __syncwarp();
  for (int k = 32; k > 0; k >>= 1) {
    int other = s[t + (t < k ? k : 0)];
    __syncwarp();
    if (t < k) s[t] += other;
    __syncwarp();
  }
  out[t] = s[0];
}
__global__ void half_syncwarp(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;                                         // [half_syncwarp]
  __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = s[t ^ 16];  // [half_syncwarp]
}
__global__ void syncwarp_for_two_warps(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;  // [syncwarp_for_two_warps]
  __syncwarp();
  out[threadIdx.x] = s[63 - threadIdx.x];  // [syncwarp_for_two_warps]
}
__global__ void no_barrier_after(int* out) {
  __shared__ int s;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) s = i;  // [no_barrier_after]
    __syncthreads();
    out[threadIdx.x] = s;  // [no_barrier_after]
  }
}
__global__ void share_local(int* out) {
  __shared__ int* where;
  int mine = threadIdx.x;
  if (threadIdx.x == 0) where = &mine;
  __syncthreads();
  out[threadIdx.x] = *where;  // [share_local]
}

__global__ void writes_anothers_local(int* out) {
  __shared__ int* where;
  int mine = 0;
  if (threadIdx.x == 31) where = &mine;
  __syncthreads();
  if (threadIdx.x == 0) *where = 7;  // [writes_anothers_local]
  __syncthreads();
  out[threadIdx.x] = mine;
}
__device__ int sum_of(const int* values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];  // [anothers_array]
  return sum;
}
__global__ void anothers_array(int* out) {
  __shared__ const int* where;
  int mine[4] = {1, 2, 3, 4};
  if (threadIdx.x == 40) where = mine;
  __syncthreads();
  out[threadIdx.x] = sum_of(where, 4);  // [anothers_array]
}

// ---- barriers and warps

__global__ void half_barrier(int* out) {
  if (threadIdx.x < 16) __syncthreads();  // [half_barrier]
  out[threadIdx.x] = 1;
}
__global__ void two_barriers(int* out) {
  if (threadIdx.x < 32)
    __syncthreads();  // [two_barriers]
  else
    __syncthreads();  // [two_barriers]
  out[threadIdx.x] = 1;
}
__global__ void gone_by(int* out) {
  if (threadIdx.x > 0) __syncthreads();  // [gone_by]
  out[threadIdx.x] = 1;
  __syncthreads();  // [gone_by]
}
__global__ void volatile_peek(int* most) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  if (*reinterpret_cast<volatile int*>(most) < mine) atomicMax(most, mine);
}
__global__ void plain_peek(int* most) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  if (*most < mine) atomicMax(most, mine);  // [plain_peek]
}
__global__ void cached_peek(int* most) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  if (__ldcg(most) < mine) atomicMax(most, mine);
}
// As the programming guide writes it; and whoever has less swaps nothing.
__global__ void swap_loop(int* most) {
  int mine = blockIdx.x * blockDim.x + (threadIdx.x ^ 21);
  int old = *most;
  while (old < mine) {
    int assumed = old;
    old = atomicCAS(most, assumed, mine);
    if (old == assumed) break;
  }
}
__global__ void reads_after_its_swap(int* most, int* out) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x, old = 0, assumed;
  do {
    assumed = old;
    old = atomicCAS(most, assumed, mine);  // [reads_after_its_swap]
  } while (old != assumed);
  out[mine] = *most;  // [reads_after_its_swap]
}
__global__ void volatile_peek_at_a_write(int* most) {
  if (threadIdx.x == 0) *most = 1;  // [volatile_peek_at_a_write]
  if (*reinterpret_cast<volatile int*>(most) == 7) atomicAdd(most, 1);  // [volatile_peek_at_a_write]
}
// Every block adds what it has to what all have, and reads the sum of all: three times.
__global__ void grid_meets(int* out, int* sums) {
  __shared__ int kept[32];
  int mine = blockIdx.x * 32 + threadIdx.x + 1;
  kept[threadIdx.x] = mine;
  for (int round = 0; round < 3; round++) {
    atomicAdd(&sums[round], mine);
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) out[(blockIdx.x + round) % gridDim.x] = sums[round] + kept[31] + mine;
    cooperative_groups::this_grid().sync();
  }
}
__global__ void grid_races(int* out) {
  out[blockIdx.x] = threadIdx.x == 0 ? 1 : 0;  // [grid_races]
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[(blockIdx.x + 1) % gridDim.x] = 2;
}
__global__ void no_grid_between(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = 1;  // [no_grid_between]
  cooperative_groups::this_thread_block().sync();
  if (threadIdx.x == 0) out[(blockIdx.x + 1) % gridDim.x] = 2;  // [no_grid_between]
}
__global__ void half_of_the_grid(int* out) {
  if (blockIdx.x < 2) cooperative_groups::this_grid().sync();  // [half_of_the_grid]
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void half_of_a_block(int* out) {
  if (threadIdx.x < 16) cooperative_groups::this_grid().sync();  // [half_of_a_block]
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
__global__ void grid_or_block(int* out) {
  if (threadIdx.x < 32)
    cooperative_groups::this_grid().sync();  // [grid_or_block]
  else
    __syncthreads();  // [grid_or_block]
  out[threadIdx.x] = 1;
}
__global__ void grid_by_chevrons(int* out) {
  cooperative_groups::this_grid().sync();  // [grid_by_chevrons]
  out[threadIdx.x] = 1;
}
__global__ void half_warp_shuffle(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_sync(0xffffffffu, v, 0);  // [half_warp_shuffle]
  __syncthreads();
  out[threadIdx.x] = v;
}
__global__ void other_ballot(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = int(__ballot_sync(0xffffffffu, 1));  // [other_ballot]
  else
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);  // [other_ballot]
}
__global__ void one_lane_short(int* out) {
  if (threadIdx.x != 31) __syncwarp();  // [one_lane_short]
  __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void not_in_mask(int* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, 0);  // [not_in_mask]
}
__global__ void sync_not_in_mask(int* out) {
  __syncwarp(0x7fffffffu);  // [sync_not_in_mask]
  out[threadIdx.x] = 1;
}
__global__ void ballot_of_others(int* out) {
  if (threadIdx.x == 3) out[0] = int(__ballot_sync(0x10u, 1));  // [ballot_of_others]
}
__global__ void inactive_source(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, 20);  // [inactive_source]
}
__global__ void inactive_down(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(0x0000ffffu, (int)threadIdx.x, 8);  // [inactive_down]
}
__global__ void ended_source(int* out) {
  if (threadIdx.x >= 24) return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 16);  // [ended_source]
}

// ---- endless loops

__global__ void spin(volatile int* flag) {
  while (*flag == 0) {  // [spin]
  }                     // [spin]
}
__global__ void spin_without_access(int* out) {
  unsigned i = 1;
  while (i) i += 2;  // [spin_without_access]
  *out = int(i);
}
__global__ void waits_for_neighbour(volatile int* flag) {
  if (threadIdx.x == 0)
    while (flag[1] == 0) {  // [waits_for_neighbour]
    }                       // [waits_for_neighbour]
  flag[1] = 1;              // [waits_for_neighbour]
}

// ---- numbers

__global__ void no_clamp(const float* x, int8_t* q) {
  int i = threadIdx.x;
  q[i] = (int8_t)(x[i] * 100.f);  // [no_clamp]
}
__global__ void to_int(const float* x, int* q) { q[threadIdx.x] = int(x[threadIdx.x] * 1e20f); }  // [to_int]
__global__ void nan_to_int(float zero, int* q) { q[0] = int(zero / zero); }  // [nan_to_int]
__global__ void accumulator(int* out) {
  int s = 0x7fffff00;
  for (int i = 0; i < 32; ++i) s += 127;  // [accumulator]
  out[threadIdx.x] = s;
}
__global__ void product(int* out, int m) { out[threadIdx.x] = m * m; }  // [product]
__global__ void negated(int* out, int lowest) { out[threadIdx.x] = -lowest; }  // [negated]
__global__ void next_row(int* out) {
  __shared__ int tile[2][32];
  tile[0][threadIdx.x] = tile[1][threadIdx.x] = 1;
  __syncthreads();
  int column = threadIdx.x + 1;
  out[threadIdx.x] = tile[0][column];  // [next_row]
}
__global__ void local_array(int* out, int n) {
  int sums[4] = {0, 0, 0, 0};
  for (int i = 0; i <= n; ++i) sums[i] += i;  // [local_array]
  out[threadIdx.x] = sums[0] + sums[3];
}
__global__ void matrix_row(int* out, int row) {
  __shared__ int8_t m[4][8];
  m[threadIdx.x / 8][threadIdx.x % 8] = 1;
  __syncthreads();
  out[threadIdx.x] = m[row - 1][threadIdx.x % 8 + 8 * (threadIdx.x == 1)];  // [matrix_row]
}

bool run_case(const std::string& what) {
  const int64_t before = int64_t(5) << 33;  // so many bytes of `end` come first, and are not there
  int8_t* const end = static_cast<int8_t*>(nibble::simt::allocate(64, "end", before));
  nibble::simt::copy_to_device(end, std::vector<int8_t>(64).data(), 64);
  const auto h = ramp(4096);
  Buffer<float> x(h), y(4096);
  Buffer<int8_t> bytes(random_int8(4096, 1));
  Buffer<int> out(std::vector<int>(1024, 0));
  const auto is = [&](const char* name) { return what == name; };
  // clang-format off
  if (is("histogram")) histogram<<<8, 128>>>(bytes.data, out.data, 1024);
  if (is("histogram_atomic")) histogram_atomic<<<8, 128>>>(bytes.data, out.data, 1024);
  if (is("atomic_and_plain")) atomic_and_plain<<<1, 64>>>(out.data);
  if (is("host_pointer")) copy<<<1, 32>>>(h.data(), y.data, 32);
  if (is("null_pointer")) copy<<<1, 32>>>(nullptr, y.data, 32);
  if (is("uninitialised")) copy<<<1, 32>>>(y.data, x.data, 32);
  if (is("tail")) copy<<<17, 256>>>(x.data, y.data, 4097);
  if (is("before")) copy<<<1, 32>>>(x.data - 1, y.data, 32);
  if (is("use_after_free")) {
    cudaFree(x.data);  // [use_after_free]
    copy<<<1, 32>>>(x.data, y.data, 32);
    x.data = nullptr;
  }
  if (is("writes_freed")) {
    cudaFree(y.data);  // [writes_freed]
    write_one<<<1, 32>>>(y.data, 31);
    y.data = nullptr;
  }
  if (is("frees_between")) {
    copy<<<1, 32>>>(x.data, y.data, 32);
    cudaFree(y.data);  // [frees_between]
    write_one<<<1, 1>>>(y.data, 0);
    y.data = nullptr;
  }
  if (is("copies_freed")) {
    float host[32];
    cudaFree(x.data);                                                  // [copies_freed]
    cudaMemcpy(host, x.data, sizeof host, cudaMemcpyDeviceToHost);  // [copies_freed]
    x.data = nullptr;
  }
  if (is("neighbours")) neighbours<<<2, 64>>>(x.data, 128);
  if (is("volatile_peek")) volatile_peek<<<4, 64>>>(out.data);
  if (is("cached_peek")) cached_peek<<<4, 64>>>(out.data);
  if (is("swap_loop")) swap_loop<<<4, 64>>>(out.data);
  if (is("reads_after_its_swap")) reads_after_its_swap<<<4, 64>>>(out.data, out.data + 1);
  if (is("plain_peek")) plain_peek<<<4, 64>>>(out.data);
  if (is("volatile_peek_at_a_write")) volatile_peek_at_a_write<<<1, 64>>>(out.data);
  if (is("same_value")) same_value<<<1, 64>>>(out.data);
  if (is("blocks_overlap")) blocks_overlap<<<4, 32>>>(out.data);
  if (is("last_block_writes")) last_block_writes<<<4, 1>>>(out.data, out.data + 64);
  if (is("bytes_apart")) bytes_apart<<<1, 256>>>(bytes.data);
  if (is("bytes_together")) bytes_together<<<1, 256>>>(bytes.data);
  if (is("byte_in_word")) byte_in_word<<<1, 32>>>(out.data);
  if (is("misaligned")) misaligned<<<1, 32>>>(x.data, y.data);
  if (is("misaligned_int")) misaligned_int<<<1, 32>>>(bytes.data, out.data);
  if (is("misaligned_double")) misaligned_double<<<1, 32>>>(reinterpret_cast<double*>(y.data));
  if (is("in_a_header")) in_a_header<<<1, 32>>>(x.data, y.data, 4090);
  if (is("half_written")) half_written<<<1, 8>>>(bytes.data);
  if (is("reads_variables")) reads_variables<<<1, 32>>>(out.data);
  Buffer<int> fresh(1024);
  if (is("sums_unwritten")) sums_unwritten<<<1, 32>>>(fresh.data, out.data);
  Buffer<float> padded(4100);
  cudaMemset(padded.data, 0, 4098 * sizeof(float));
  if (is("half_a_vector")) half_a_vector<<<1, 1>>>((const float4*)padded.data, (float4*)y.data);
  if (is("far_past_table")) past_table<<<1, 1>>>(out.data, 20);
  if (is("past_table")) past_table<<<1, 1>>>(out.data, 8);
  if (is("past_constant")) past_constant<<<1, 1>>>(y.data, 4);
  if (is("before_table")) before_table<<<1, 1>>>(-1);
  if (is("table_race")) table_race<<<1, 32>>>();
  if (is("writes_constant")) writes_constant<<<1, 1>>>(factors);
  if (is("host_variable")) host_variable<<<1, 1>>>(&host_counter);
  if (is("far_out")) far_out<<<1, 1>>>(bytes.data, 1ll << 40);
  if (is("narrow_index")) narrow_index<<<1, 1>>>(end - before, out.data, before + 7);
  if (is("narrow_write")) narrow_write<<<1, 1>>>(end - before, before + 7);
  if (is("narrow_vector")) narrow_vector<<<1, 1>>>((const int4*)(end - before), (int4*)out.data, before / 16 + 1);
  if (is("wide_index")) wide_index<<<1, 1>>>(end - before, out.data, before + 7);
  if (is("past_row")) past_row<<<1, 32>>>(out.data);
  if (is("past_dynamic")) past_dynamic<<<1, 64, 128>>>(out.data);
  if (is("before_shared")) before_shared<<<1, 32>>>(out.data, -1);
  if (is("too_much_static")) too_much_static<<<1, 32>>>(out.data);
  if (is("never_written")) never_written<<<1, 32>>>(out.data);
  if (is("beyond_its_bounds")) beyond_its_bounds<<<1, 33>>>(out.data);
  if (is("own_write_first")) own_write_first<<<1, 32>>>(out.data);
  if (is("sum_of_nothing")) sum_of_nothing<<<1, 64>>>(out.data);
  if (is("atomic_in_a_block")) atomic_in_a_block<<<4, 1>>>(out.data);
  if (is("exchanges_first")) exchanges_first<<<1, 64>>>(out.data);
  if (is("last_blocks_values")) last_blocks_values<<<2, 32>>>(out.data);
  if (is("no_syncwarp")) no_syncwarp<<<1, 32>>>(out.data);
  if (is("with_syncwarp")) with_syncwarp<<<1, 32>>>(out.data);
  if (is("half_syncwarp")) half_syncwarp<<<1, 32>>>(out.data);
  if (is("syncwarp_for_two_warps")) syncwarp_for_two_warps<<<1, 64>>>(out.data);
  if (is("no_barrier_after")) no_barrier_after<<<1, 64>>>(out.data);
  if (is("share_local")) share_local<<<1, 32>>>(out.data);
  if (is("writes_anothers_local")) writes_anothers_local<<<1, 32>>>(out.data);
  if (is("anothers_array")) anothers_array<<<1, 64>>>(out.data);
  if (is("half_barrier")) half_barrier<<<1, 32>>>(out.data);
  const auto together = [&](auto kernel, int blocks, int threads) {
    void* args[] = {&out.data};
    cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), args);
  };
  if (is("grid_races")) together(grid_races, 4, 32);
  if (is("no_grid_between")) together(no_grid_between, 4, 32);
  if (is("half_of_the_grid")) together(half_of_the_grid, 4, 32);
  if (is("half_of_a_block")) together(half_of_a_block, 4, 32);
  if (is("grid_or_block")) together(grid_or_block, 2, 64);
  if (is("grid_by_chevrons")) grid_by_chevrons<<<2, 32>>>(out.data);
  if (is("grid_too_large")) together(grid_races, 1025, 64);
  if (is("grid_meets")) {
    Buffer<int> sums(std::vector<int>(3, 0)), last(std::vector<int>(8, 0));
    void* args[] = {&last.data, &sums.data};
    cudaLaunchCooperativeKernel(grid_meets, 8, 32, args);
    const int all = 256 * 257 / 2;
    const std::vector<int> got = last.host();
    for (int block = 0; block < 8; block++) {
      if (got[(block + 2) % 8] != all + block * 32 + 32 + block * 32 + 1) return false;
    }
  }
  if (is("two_barriers")) two_barriers<<<1, 64>>>(out.data);
  if (is("gone_by")) gone_by<<<1, 64>>>(out.data);
  if (is("half_warp_shuffle")) half_warp_shuffle<<<1, 32>>>(out.data);
  if (is("other_ballot")) other_ballot<<<1, 32>>>(out.data);
  if (is("one_lane_short")) one_lane_short<<<1, 32>>>(out.data);
  if (is("not_in_mask")) not_in_mask<<<1, 32>>>(out.data);
  if (is("sync_not_in_mask")) sync_not_in_mask<<<1, 32>>>(out.data);
  if (is("ballot_of_others")) ballot_of_others<<<1, 32>>>(out.data);
  if (is("inactive_source")) inactive_source<<<1, 32>>>(out.data);
  if (is("inactive_down")) inactive_down<<<1, 32>>>(out.data);
  if (is("ended_source")) ended_source<<<1, 32>>>(out.data);
  if (is("spin")) spin<<<1, 32>>>(out.data);
  if (is("spin_without_access")) spin_without_access<<<1, 32>>>(out.data);
  if (is("waits_for_neighbour")) waits_for_neighbour<<<1, 1>>>(out.data);
  if (is("no_clamp")) no_clamp<<<1, 32>>>(x.data, bytes.data);
  if (is("to_int")) to_int<<<1, 32>>>(x.data, out.data);
  if (is("nan_to_int")) nan_to_int<<<1, 1>>>(0.f, out.data);
  if (is("accumulator")) accumulator<<<1, 32>>>(out.data);
  if (is("product")) product<<<1, 32>>>(out.data, 1 << 20);
  if (is("negated")) negated<<<1, 32>>>(out.data, -0x7fffffff - 1);
  if (is("next_row")) next_row<<<1, 32>>>(out.data);
  if (is("local_array")) local_array<<<1, 32>>>(out.data, 4);
  if (is("matrix_row")) matrix_row<<<1, 32>>>(out.data, 1);
  if (is("block_too_big")) copy<<<1, 2048>>>(x.data, y.data, 32);
  if (is("block_empty")) copy<<<1, 0>>>(x.data, y.data, 32);
  if (is("grid_empty")) copy<<<0, 32>>>(x.data, y.data, 32);
  if (is("grid_too_tall")) copy<<<dim3(1, 70000), 32>>>(x.data, y.data, 32);
  if (is("grid_of_billions")) copy<<<0x7fffffff, 1>>>(x.data, y.data, 32);
  if (is("grid_of_everything")) copy<<<(1u << 31) / 256, 256>>>(x.data, y.data, 32);
  if (is("grid_overflowed")) copy<<<(INT32_MIN + 254) / 256, 256>>>(x.data, y.data, 32);
  if (is("shared_too_big")) copy<<<1, 32, 200 * 1024>>>(x.data, y.data, 32);
  if (is("host_reads")) host_counter = out.data[3];  // [host_reads]
  if (is("host_writes")) out.data[3] = 1;  // [host_writes]
  // clang-format on
  return cudaGetLastError() == cudaSuccess;
}
