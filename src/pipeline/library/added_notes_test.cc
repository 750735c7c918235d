#include "pipeline/library/added_notes.h"

#include <gtest/gtest.h>

#include <vector>

namespace zhiwen {
namespace {

using Origin = AddedNotes::Origin;

void Note(AddedNotes& notes, const std::vector<AddedDocument>& documents) {
  for (size_t i = 0; i < documents.size(); ++i) notes.Give(Origin::kRecord);
  notes.Take(documents);
}

TEST(NotesOfAdded, CountIdsThatCameWithDifferentTexts) {
  AddedNotes notes;
  Note(notes, {{.number = 1000}, {.number = 1001, .superseded = 7}});  // 7 was there before
  EXPECT_EQ(notes.repeated_ids(), 0U);
  EXPECT_EQ(notes.first_repeated(), 0U);
  Note(notes, {{.number = 1000}});  // the same again
  EXPECT_EQ(notes.repeated_ids(), 0U);
  Note(notes, {{.number = 1002, .superseded = 1000}, {.number = 1003, .superseded = 1002}});
  EXPECT_EQ(notes.repeated_ids(), 1U);  // one id, three texts
  EXPECT_EQ(notes.first_repeated(), 1000U);
  Note(notes, {{.number = 5}, {.number = 1004, .superseded = 5}});  // first as it was, then another
  EXPECT_EQ(notes.repeated_ids(), 2U);
  EXPECT_EQ(notes.first_repeated(), 1000U);
  Note(notes, {{.number = 1005, .superseded = 1001}});
  EXPECT_EQ(notes.repeated_ids(), 3U);
}

TEST(NotesOfAdded, CountTextsWithoutAWorkInTheOrderInWhichTheyWereGiven) {
  AddedNotes notes;
  for (const Origin origin : {Origin::kText, Origin::kRecord, Origin::kText, Origin::kText}) {
    notes.Give(origin);
  }
  notes.Take(std::vector<AddedDocument>{{.number = 1}, {.number = 2}});
  EXPECT_EQ(notes.texts_without_work(), 1U);  // a record may belong to none
  notes.Take({});
  notes.Give(Origin::kText);
  notes.Take(std::vector<AddedDocument>{
      {.number = 3, .has_named_work = true}, {.number = 4}, {.number = 5}});
  EXPECT_EQ(notes.texts_without_work(), 3U);
}

TEST(NotesOfAdded, CountOwnersThatTheManifestContradictsAndKeepTheFirst) {
  AddedNotes notes;
  EXPECT_EQ(notes.contradicted().documents, 0U);
  LibraryDocument document = {.id = "甲", .text = ""};
  document.work.owner = "甲社";
  notes.Contradict(document, "乙社");
  document.id = "乙";
  notes.Contradict(document, "丙社");
  EXPECT_EQ(notes.contradicted().documents, 2U);
  EXPECT_EQ(notes.contradicted().id, "甲");
  EXPECT_EQ(notes.contradicted().owner, "甲社");
  EXPECT_EQ(notes.contradicted().owner_by_manifest, "乙社");
}

}  // namespace
}  // namespace zhiwen
