-- Whether places and hours of runs may be sent to the weather service.
ALTER TABLE settings ADD COLUMN weather_lookups INTEGER NOT NULL DEFAULT 1 CHECK (weather_lookups IN (0, 1));
