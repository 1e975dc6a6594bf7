-- Tables of earlier versions and of a run's recordings are called what they hold.
ALTER TABLE former RENAME TO earlier_version;
DROP INDEX former_document;
DROP INDEX former_item;
DROP INDEX former_until;
CREATE INDEX earlier_version_document ON earlier_version (document_id);
CREATE INDEX earlier_version_item ON earlier_version (receipt_id, item_seq);
CREATE INDEX earlier_version_until ON earlier_version (until);

ALTER TABLE naming RENAME TO run_recording;
DROP INDEX naming_recording;
CREATE INDEX run_recording_recording ON run_recording (recording_id, live);
