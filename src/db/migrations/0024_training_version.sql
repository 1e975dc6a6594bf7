-- Every start looks for runs whose training data older formulas made.
CREATE INDEX workout_training_version ON workout_training (training_version);
