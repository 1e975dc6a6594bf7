-- What was corrected in the statements of a source: [{"what","stated","used","reason"}]; null: nothing.
ALTER TABLE recording ADD COLUMN corrections TEXT;
