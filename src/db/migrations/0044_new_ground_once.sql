-- Ground that a run came by twice is new once: all squares are computed again.
INSERT INTO ground_dirty SELECT DISTINCT id >> 24, 1 FROM ground_square WHERE true
  ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
