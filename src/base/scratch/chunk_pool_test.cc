#include "base/scratch/chunk_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "base/large_memory.h"

namespace zhiwen {
namespace {

bool Holds(const Chunk& chunk, size_t bytes, char value) {
  return std::all_of(chunk.get(), chunk.get() + bytes, [&](char c) { return c == value; });
}

TEST(ChunkPool, ChunksOfAnySizeKeepWhatIsWrittenWhateverIsTakenAndGivenBack) {
  std::mt19937_64 random(1);
  ChunkPool pool;
  struct Held {
    Chunk chunk;
    size_t bytes;
    char value;
  };
  std::vector<Held> held;
  for (int step = 0; step < 400; ++step) {
    if (held.empty() || random() % 5 < 3) {
      const size_t bytes = random() % 4 == 0 ? 1 + random() % 5000 : kPooledChunkBytes;
      held.push_back({pool.Take(bytes), bytes, static_cast<char>(random())});
      std::memset(held.back().chunk.get(), held.back().value, bytes);
    } else if (random() % 3 == 0) {
      const size_t count = 1 + random() % std::min<size_t>(held.size(), 12);
      std::vector<Chunk> back;
      for (size_t i = 0; i < count; ++i) {
        std::swap(held[random() % held.size()], held.back());
        back.push_back(std::move(held.back().chunk));
        held.pop_back();
      }
      pool.GiveBack(back);
      for (const Chunk& chunk : back) EXPECT_EQ(chunk, nullptr);
    } else {
      std::swap(held[random() % held.size()], held.back());
      held.pop_back();
    }
    if (step % 20 != 0) continue;
    for (const Held& one : held) ASSERT_TRUE(Holds(one.chunk, one.bytes, one.value)) << step;
  }
}

TEST(ChunkPool, ChunksThatAreHeldAtOnceLieApart) {
  ChunkPool pool;
  std::vector<Chunk> chunks;
  std::set<char*> places;
  for (int i = 0; i < 100; ++i) {
    chunks.push_back(pool.Take(kPooledChunkBytes));
    places.insert(chunks.back().get());
  }
  ASSERT_EQ(places.size(), chunks.size());
  for (auto at = places.begin(); std::next(at) != places.end(); ++at) {
    EXPECT_GE(*std::next(at) - *at, static_cast<ptrdiff_t>(kPooledChunkBytes));
  }
}

TEST(ChunkPool, AChunkThatWasGivenBackIsTheNextOneTaken) {
  ChunkPool pool;
  std::vector<Chunk> chunks;
  for (int i = 0; i < 24; ++i) chunks.push_back(pool.Take(kPooledChunkBytes));
  char* const place = chunks[3].get();
  chunks[3].reset();
  const Chunk again = pool.Take(kPooledChunkBytes);
  EXPECT_EQ(again.get(), place);
}

}  // namespace
}  // namespace zhiwen
