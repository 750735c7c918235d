BEGIN TRANSACTION;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('checksum','4e2ccae3');
INSERT INTO setting VALUES('id','ee440022c99a26baf4df37642b6aa735');
INSERT INTO setting VALUES('incarnation.near','1');
INSERT INTO setting VALUES('incarnation.passages','1');
INSERT INTO setting VALUES('near_scheme','minhash.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),method=one_permutation,permutations=128,seed=0)');
INSERT INTO setting VALUES('near_threshold','0.8');
INSERT INTO setting VALUES('passage_scheme','winnowing.v1(channel=folded.v3,g=22,k=8,scope=text,sentences=none,unit=symbol)');
INSERT INTO setting VALUES('profile','news');
CREATE TABLE text (
  key INTEGER PRIMARY KEY,
  content BLOB NOT NULL,
  exact BLOB,
  folded BLOB,
  units INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  users INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO text VALUES(1,X'dc1e3a32469ad65c611283432d640ea0',NULL,X'5aa8664600e30f3e225733dacb7a8d23',20,72,1,X'28b52ffd2448410200e698a5e79ca0e4b88de8a789e69993efbc8ce5a484e5a484e997bbe595bce9b89fe38082e5a49ce69da5e9a38ee99ba8e5a3b0efbc8ce88ab1e890bde79fa5e5a49ae5b091e380827934ea29',3245437393);
INSERT INTO text VALUES(2,X'cb1e9f3195ad9f2c2711ee76e6fa7f80',NULL,X'5aa8664600e30f3e225733dacb7a8d23',20,72,1,X'28b52ffd2448410200e698a5e79ca0e4b88de8a789e69993efbc8ce5a484e5a484e997bbe595bce9b89fe38082e5a49ce69da5e9a38ee99ba8e5a3b0efbc8ce88ab1e890bde79fa5e5a49ae5b091efbc9ffd853ad1',1385589368);
INSERT INTO text VALUES(3,X'd3c7580a0e4c236cc8b41dde32bc6454',NULL,X'b404e7aa36580e4d73edff7647a5a4b5',20,72,1,X'28b52ffd2448410200e69dbee4b88be997aee7aba5e5ad90efbc8ce8a880e5b888e98787e88dafe58ebbe38082e58faae59ca8e6ada4e5b1b1e4b8adefbc8ce4ba91e6b7b1e4b88de79fa5e5a484e38082098d7b78',238362283);
INSERT INTO text VALUES(4,X'aa70b90d77c78bcfffa1ff34691ce4aa',NULL,X'ac8897c461199316ca8587af76aab8f9',23,83,1,X'28b52ffd2453990200e99d99e5a49ce6809d0ae5ba8ae5898de6988ee69c88e58589efbc8ce79691e698afe59cb0e4b88ae99c9ce380820ae4b8bee5a4b4e69c9be6988ee69c88efbc8ce4bd8ee5a4b4e6809de69585e4b9a1e38082d5ea5fd9',1299636790);
CREATE TABLE document (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state INTEGER NOT NULL,
  text INTEGER REFERENCES text (key),
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  date TEXT NOT NULL,
  url TEXT NOT NULL,
  added INTEGER NOT NULL,
  checksum INTEGER NOT NULL, work INTEGER REFERENCES work (key), part TEXT NOT NULL DEFAULT '', kind INTEGER NOT NULL DEFAULT 0, source INTEGER,
  UNIQUE (id, version)
) STRICT;
INSERT INTO document VALUES(1,'春晓',1,1,1,'春晓','孟浩然','730','',1795907570,2028481029,1,'第1首',0,NULL);
INSERT INTO document VALUES(2,'春晓',2,0,2,'春晓','孟浩然','','',1795907570,3458143836,1,'第1首',0,NULL);
INSERT INTO document VALUES(3,'诱饵',1,0,3,'','','','',1795907570,62294925,NULL,'',1,NULL);
INSERT INTO document VALUES(4,'page.html',1,0,4,'','','','',1795907570,4104595169,NULL,'',0,815826706);
CREATE TABLE change (
  sequence INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  document INTEGER NOT NULL REFERENCES document (number)
) STRICT;
INSERT INTO change VALUES(1,0,1);
INSERT INTO change VALUES(2,1,1);
INSERT INTO change VALUES(3,0,2);
INSERT INTO change VALUES(4,0,3);
INSERT INTO change VALUES(5,0,4);
CREATE TABLE work (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  owner TEXT NOT NULL,
  licence TEXT NOT NULL,
  first_publication TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO work VALUES(1,'唐诗','','','甲社','','',3991727565);
CREATE TABLE source (
  document INTEGER PRIMARY KEY REFERENCES document (number),
  member TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  places BLOB NOT NULL,
  picture BLOB NOT NULL
) STRICT;
INSERT INTO source VALUES(4,'',18,X'28b52ffd241291000032352033342034322037382038352031323170daf837',X'');
CREATE INDEX text_content ON text (content);
CREATE INDEX text_exact ON text (exact) WHERE exact IS NOT NULL;
CREATE INDEX text_folded ON text (folded) WHERE folded IS NOT NULL;
CREATE INDEX document_text ON document (text);
CREATE INDEX document_state ON document (state) WHERE state <> 0;
CREATE UNIQUE INDEX work_name ON work (name) WHERE name <> '';
CREATE UNIQUE INDEX work_owner ON work (owner) WHERE name = '';
CREATE INDEX document_work ON document (work) WHERE work IS NOT NULL;
CREATE INDEX source_picture ON source (document) WHERE picture <> x'';
COMMIT;
PRAGMA application_id = 2054644588;
PRAGMA user_version = 3;
