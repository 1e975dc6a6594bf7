-- The path of a route with fewer points, by which the search for passes rules out most runs; made of the stored paths.
ALTER TABLE workout_route ADD COLUMN trace BLOB;
