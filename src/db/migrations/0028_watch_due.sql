-- Files that are due are read in this order, some at a time: without it a hundred thousand would be sorted each time.
CREATE INDEX watch_file_due ON watch_file (modified_at, name) WHERE next_at IS NOT NULL;
