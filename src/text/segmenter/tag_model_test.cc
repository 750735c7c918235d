#include "text/segmenter/tag_model.h"

#include <gtest/gtest.h>

#include <vector>

namespace zhiwen {
namespace {

// No state follows some character of a run. jieba fails on it, and forged data can cause it
// anywhere.
TEST(TagModel, AStateThatNothingLeadsToComesAfterOneThatWasTried) {
  const TagState states[] = {{.start = -1}, {.start = -2}, {.start = -3}};
  const std::vector<uint32_t> move_begins(std::size(states) + 1);
  const TagEmission emissions[] = {{.probability = -1, .state = 1, .listed = 1}};
  std::vector<uint32_t> emission_begins(kHanCodes + 1, 1);
  emission_begins[0] = 0;  // the first character has an emission in state 1, all others in none
  SegmenterData data;
  data.tag_states = states;
  data.tag_move_begins = move_begins;
  data.tag_emission_begins = emission_begins;
  data.tag_emissions = emissions;
  const TagModel model(data);
  TagModel::Values values;
  model.Start(0, values);
  ASSERT_EQ(values.tried[0], 0b010U);
  TagModel::Row row;
  row.fill(255);  // left from an earlier text with other data
  model.Step(values, 1, row);
  ASSERT_EQ(values.tried[0], 0b111U);
  for (uint8_t state = 0; state < 3; ++state) EXPECT_EQ(model.Before(row, state), 1) << +state;
}

}  // namespace
}  // namespace zhiwen
