// cooperative_groups::this_grid().sync(). Blocks run one after the other and on the same stacks:
// a block that has come to the grid's barrier is put aside, with what is on its stacks and in its
// shared memory, and taken back when all have come.
//
//     block 0 |----------> put aside                      back |------------> ends
//     block 1              |---------> put aside                             back |------> ends
//     block 2                          |----------> put aside                             back |---
//                                                   all have come: one more barrier is passed
#pragma once

namespace nibble::simt {

/// All threads of the running block wait at the grid's barrier.
void put_block_aside();

/// Every block has ended or was put aside: runs those on, from barrier to barrier, until all have
/// ended. Where some have ended and others wait, nobody will ever go on, which is a finding.
void pass_grid_barriers();

/// Blocks that were launched by `<<< >>>` need not be there at the same time: ends the launch.
void refuse_grid_barrier(const void* pc);

}  // namespace nibble::simt
