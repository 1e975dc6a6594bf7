-- What was corrected in the statements of a source: [{"what","stated","used","reason"}]; null: they were never judged.
ALTER TABLE recording ADD COLUMN corrections TEXT;
