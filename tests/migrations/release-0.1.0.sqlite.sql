-- A store as the release 0.1.0 left it: four statements, one of them voided, and a State document.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE `schema_migration` (`name` VARCHAR(255) NOT NULL UNIQUE PRIMARY KEY);
INSERT INTO schema_migration VALUES('0001-initial');
INSERT INTO schema_migration VALUES('0002-administration');
INSERT INTO schema_migration VALUES('0003-documents');
INSERT INTO schema_migration VALUES('0004-agents-activities');
CREATE TABLE statement (
      position INTEGER NOT NULL PRIMARY KEY,
      id CHAR(36) NOT NULL UNIQUE,
      voided SMALLINT NOT NULL DEFAULT 0,
      verb TEXT NOT NULL,
      actor TEXT,
      object TEXT,
      registration CHAR(36),
      timestamp TEXT NOT NULL,
      payload TEXT NOT NULL
    );
INSERT INTO statement VALUES(1795296449092000,'00000000-0000-4000-8000-000000000001',0,'http://adlnet.gov/expapi/verbs/experienced','mbox::mailto:ann@example.org','http://example.org/activity',NULL,'2026-11-20T10:00:00Z','{"id":"00000000-0000-4000-8000-000000000001","actor":{"mbox":"mailto:ann@example.org","name":"Ann 1"},"verb":{"id":"http://adlnet.gov/expapi/verbs/experienced"},"object":{"id":"http://example.org/activity","definition":{"name":{"en":"Name 1"}}},"timestamp":"2026-11-20T10:00:00Z","stored":"2026-11-21T21:27:29.092000Z","version":"1.0.0","authority":{"objectType":"Agent","account":{"homePage":"http://example.org","name":"335aeb10-82d7-4927-8161-0e17d9dad590"}}}');
INSERT INTO statement VALUES(1795296449092001,'00000000-0000-4000-8000-000000000002',1,'http://adlnet.gov/expapi/verbs/experienced','mbox::mailto:ann@example.org','http://example.org/activity','00000000-0000-4000-8000-000000000009','2026-11-20T10:00:00Z','{"id":"00000000-0000-4000-8000-000000000002","actor":{"mbox":"mailto:ann@example.org","name":"Ann 2"},"verb":{"id":"http://adlnet.gov/expapi/verbs/experienced"},"object":{"id":"http://example.org/activity","definition":{"name":{"en":"Name 2"}}},"context":{"registration":"00000000-0000-4000-8000-000000000009"},"result":{"score":{"raw":1.50}},"timestamp":"2026-11-20T10:00:00Z","stored":"2026-11-21T21:27:29.092001Z","version":"1.0.0","authority":{"objectType":"Agent","account":{"homePage":"http://example.org","name":"335aeb10-82d7-4927-8161-0e17d9dad590"}}}');
INSERT INTO statement VALUES(1795296449128000,'00000000-0000-4000-8000-000000000003',0,'http://adlnet.gov/expapi/verbs/experienced','mbox::mailto:ann@example.org','00000000-0000-4000-8000-000000000001',NULL,'2026-11-20T10:00:00Z','{"id":"00000000-0000-4000-8000-000000000003","actor":{"mbox":"mailto:ann@example.org","name":"Ann 3"},"verb":{"id":"http://adlnet.gov/expapi/verbs/experienced"},"object":{"objectType":"StatementRef","id":"00000000-0000-4000-8000-000000000001"},"timestamp":"2026-11-20T10:00:00Z","stored":"2026-11-21T21:27:29.128000Z","version":"1.0.0","authority":{"objectType":"Agent","account":{"homePage":"http://example.org","name":"335aeb10-82d7-4927-8161-0e17d9dad590"}}}');
INSERT INTO statement VALUES(1795296449128001,'00000000-0000-4000-8000-000000000004',0,'http://adlnet.gov/expapi/verbs/voided','mbox::mailto:ann@example.org','00000000-0000-4000-8000-000000000002',NULL,'2026-11-20T10:00:00Z','{"id":"00000000-0000-4000-8000-000000000004","actor":{"mbox":"mailto:ann@example.org","name":"Ann 4"},"verb":{"id":"http://adlnet.gov/expapi/verbs/voided"},"object":{"objectType":"StatementRef","id":"00000000-0000-4000-8000-000000000002"},"timestamp":"2026-11-20T10:00:00Z","stored":"2026-11-21T21:27:29.128001Z","version":"1.0.0","authority":{"objectType":"Agent","account":{"homePage":"http://example.org","name":"335aeb10-82d7-4927-8161-0e17d9dad590"}}}');
CREATE TABLE statement_key (
      search_key BLOB NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (search_key, position)
    ) WITHOUT ROWID;
INSERT INTO statement_key VALUES(X'10677f356e223ed00543682f5aaf70a0',1795296449092000);
INSERT INTO statement_key VALUES(X'10677f356e223ed00543682f5aaf70a0',1795296449128000);
INSERT INTO statement_key VALUES(X'10677f356e223ed00543682f5aaf70a0',1795296449128001);
INSERT INTO statement_key VALUES(X'31ee18d6377093d55f51ca0b6860dd32',1795296449092000);
INSERT INTO statement_key VALUES(X'31ee18d6377093d55f51ca0b6860dd32',1795296449128000);
INSERT INTO statement_key VALUES(X'31ee18d6377093d55f51ca0b6860dd32',1795296449128001);
INSERT INTO statement_key VALUES(X'3c45dfece296e20b3c3204ec221fd7c4',1795296449092000);
INSERT INTO statement_key VALUES(X'3c45dfece296e20b3c3204ec221fd7c4',1795296449128000);
INSERT INTO statement_key VALUES(X'3c45dfece296e20b3c3204ec221fd7c4',1795296449128001);
INSERT INTO statement_key VALUES(X'5385eca0d4825999e2cbb9d4e55ab558',1795296449092000);
INSERT INTO statement_key VALUES(X'5385eca0d4825999e2cbb9d4e55ab558',1795296449128000);
INSERT INTO statement_key VALUES(X'5385eca0d4825999e2cbb9d4e55ab558',1795296449128001);
INSERT INTO statement_key VALUES(X'723f2b086bc0bf779a197bb3cc281a3d',1795296449092000);
INSERT INTO statement_key VALUES(X'723f2b086bc0bf779a197bb3cc281a3d',1795296449128000);
INSERT INTO statement_key VALUES(X'723f2b086bc0bf779a197bb3cc281a3d',1795296449128001);
INSERT INTO statement_key VALUES(X'af1d9fafe305f043606ad50ee2ac28f1',1795296449128001);
INSERT INTO statement_key VALUES(X'fdd193e5529660b38b1e087cb8275a72',1795296449128001);
CREATE TABLE statement_key_recent (
      position INTEGER NOT NULL,
      search_key BLOB NOT NULL,
      PRIMARY KEY (position, search_key)
    ) WITHOUT ROWID;
CREATE TABLE statement_reference (
      position INTEGER NOT NULL PRIMARY KEY,
      id CHAR(36) NOT NULL UNIQUE,
      target CHAR(36) NOT NULL,
      voids SMALLINT NOT NULL,
      search_keys BLOB NOT NULL
    );
INSERT INTO statement_reference VALUES(1795296449128000,'00000000-0000-4000-8000-000000000003','00000000-0000-4000-8000-000000000001',0,X'723f2b086bc0bf779a197bb3cc281a3d10677f356e223ed00543682f5aaf70a031ee18d6377093d55f51ca0b6860dd325385eca0d4825999e2cbb9d4e55ab558');
INSERT INTO statement_reference VALUES(1795296449128001,'00000000-0000-4000-8000-000000000004','00000000-0000-4000-8000-000000000002',1,X'fdd193e5529660b38b1e087cb8275a7210677f356e223ed00543682f5aaf70a031ee18d6377093d55f51ca0b6860dd32723f2b086bc0bf779a197bb3cc281a3d5385eca0d4825999e2cbb9d4e55ab558af1d9fafe305f043606ad50ee2ac28f1');
CREATE TABLE attachment (
      sha2 VARCHAR(128) NOT NULL PRIMARY KEY,
      length INTEGER NOT NULL,
      content BLOB NOT NULL
    );
CREATE TABLE statement_attachment (
      position INTEGER NOT NULL,
      sha2 VARCHAR(128) NOT NULL,
      content_type TEXT NOT NULL,
      PRIMARY KEY (position, sha2)
    ) WITHOUT ROWID;
CREATE TABLE admin_account (
      id CHAR(36) NOT NULL PRIMARY KEY,
      username VARCHAR(255) NOT NULL UNIQUE,
      password_hash VARCHAR(100) NOT NULL
    );
INSERT INTO admin_account VALUES('230ff520-1d8b-402f-8aa0-831e8a53edf0','opsadmin','$2b$10$5vknHXj4BvIfISIZgrMStODIqQsQYYY8exA2TIG8bYsm5w1wDEF4e');
CREATE TABLE credential (
      id CHAR(36) NOT NULL PRIMARY KEY,
      account_id CHAR(36) NOT NULL,
      api_key VARCHAR(255) NOT NULL UNIQUE,
      secret_hash BLOB NOT NULL,
      secret_sealed BLOB NOT NULL,
      label TEXT,
      scopes TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      FOREIGN KEY (account_id) REFERENCES admin_account (id) ON DELETE CASCADE
    );
INSERT INTO credential VALUES('335aeb10-82d7-4927-8161-0e17d9dad590','230ff520-1d8b-402f-8aa0-831e8a53edf0','key',X'7793d7fd8c4788f00228e40ea49fdfe58f5f8a450aabe303eaaad4b613cd691d',X'e7d2935d45f0f1f4f04678a48848324acbfc50721b8c3f7741fb11f43fd2f06a8896',NULL,'["all"]',1795296448970);
CREATE TABLE server_secret (
      name VARCHAR(64) NOT NULL PRIMARY KEY,
      content BLOB NOT NULL
    );
CREATE TABLE document (
      document_key BLOB NOT NULL PRIMARY KEY,
      collection_key BLOB NOT NULL,
      kind VARCHAR(20) NOT NULL,
      activity TEXT,
      agent TEXT,
      registration CHAR(36),
      id TEXT NOT NULL,
      content_type TEXT NOT NULL,
      etag CHAR(40) NOT NULL,
      updated INTEGER NOT NULL,
      content BLOB NOT NULL
    );
INSERT INTO document VALUES(X'8f39a57a6db9b0b263290d6694aec887',X'03fc2c10cc649e3f6f81ef3a6d83072e','activities/state','http://example.org/activity','mbox::mailto:ann@example.org',NULL,'bookmark','application/json','5813c01d80b6d40fe4d6d89baae9a3cd9ef58487',1795296449148000,X'7b2270616765223a377d');
CREATE TABLE agent_name (
      name_key BLOB NOT NULL PRIMARY KEY,
      agent_key BLOB NOT NULL,
      identifier TEXT NOT NULL,
      name TEXT NOT NULL,
      first_seen INTEGER NOT NULL
    );
INSERT INTO agent_name VALUES(X'678a5d35833dead9ea62cf6381ed24ad',X'337186f91d332df75c30c647e7ae4b0f','mbox::mailto:ann@example.org','Ann 2',1795296449092001);
INSERT INTO agent_name VALUES(X'b7d5a5277dcaa7ee2027b36c022e775c',X'337186f91d332df75c30c647e7ae4b0f','mbox::mailto:ann@example.org','Ann 1',1795296449092000);
INSERT INTO agent_name VALUES(X'08936a05bff2c8756cea648ecf479bdb',X'337186f91d332df75c30c647e7ae4b0f','mbox::mailto:ann@example.org','Ann 3',1795296449128000);
INSERT INTO agent_name VALUES(X'3ebc5a48c847d26101fa2951ffade262',X'337186f91d332df75c30c647e7ae4b0f','mbox::mailto:ann@example.org','Ann 4',1795296449128001);
CREATE TABLE activity (
      activity_key BLOB NOT NULL PRIMARY KEY,
      id TEXT NOT NULL,
      definition TEXT NOT NULL
    );
INSERT INTO activity VALUES(X'46988ab57366b406e60fd52767f93642','http://example.org/activity','{"name":{"en":"Name 2"}}');
CREATE TABLE backfill (
      task VARCHAR(64) NOT NULL PRIMARY KEY,
      position INTEGER NOT NULL
    );
CREATE INDEX statement_reference_target ON statement_reference (target);
CREATE INDEX credential_account_id ON credential (account_id);
CREATE INDEX document_collection_key ON document (collection_key);
CREATE INDEX agent_name_agent_key ON agent_name (agent_key);
COMMIT;
