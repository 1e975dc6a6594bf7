-- Squares whose new ground is to be computed again. A cascade is seen by a trigger alone.
CREATE TABLE ground_dirty (
  -- x * 2^14 + y
  square INTEGER PRIMARY KEY,
  -- grows with every change, so that one during a computation is noticed
  marks INTEGER NOT NULL
) STRICT;
INSERT INTO ground_dirty SELECT DISTINCT id >> 24, 1 FROM ground_square;
CREATE TRIGGER ground_square_comes AFTER INSERT ON ground_square BEGIN
  INSERT INTO ground_dirty VALUES (NEW.id >> 24, 1) ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
CREATE TRIGGER ground_goes BEFORE DELETE ON ground BEGIN
  INSERT INTO ground_dirty SELECT id >> 24, 1 FROM ground_square WHERE run = OLD.run
    ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
CREATE TRIGGER ground_left_out AFTER UPDATE OF left_out ON workout WHEN OLD.left_out <> NEW.left_out BEGIN
  INSERT INTO ground_dirty SELECT id >> 24, 1 FROM ground_square WHERE run = (SELECT run FROM ground WHERE workout_id = NEW.id)
    ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
