import type { Database } from 'bun:sqlite'
import { rowsOf, storedRun } from './before-0025.ts'
import { moveHistory, moveOthers } from './receipts-0025.ts'
import { writerOf } from './writer-0025.ts'

/** The tables of before, once everything of them is in the new ones. */
const END = `
  DROP TABLE old_media;
  DROP TABLE old_effort_before;
  DROP TABLE repair;
  DROP TABLE old_recording;
  DROP TABLE old_workout;
  DROP TABLE capsule_file;
  DROP TABLE capsule;
  ALTER TABLE receipt_item DROP COLUMN capsule_id;
  ALTER TABLE receipt_item DROP COLUMN old_values;`

/** Step of migration 0025: makes documents of the runs and receipts of a library of before, one run after the other. */
export function moveLibrary(client: Database): void {
  wearDeletedShoes(client)
  const writer = writerOf(client)
  for (const [id] of client.query('SELECT id FROM old_workout ORDER BY id').values() as [string][]) {
    const run = storedRun(client, id)!
    const made = writer.moved(run)
    writer.document(id, made, run.row.revision, null)
    writer.facts(id, made)
    writer.name(id, run.recordings, true)
    moveHistory(client, writer, id, run)
  }
  moveOthers(client, writer)
  moveScores(client)
  client.run(END)
}

/** Runs without a shoe get back the one that was deleted, the last if it was several, once it returns. */
function wearDeletedShoes(client: Database): void {
  const items = client.query(
    `SELECT old_values FROM receipt_item WHERE json_extract(old_values, '$.what') = 'shoe gone' ORDER BY receipt_id, seq`,
  )
  const isThere = client.query('SELECT 1 FROM shoe WHERE id = ?')
  const wear = client.query('UPDATE workout SET shoe_id = ? WHERE id = ? AND shoe_id IS NULL')
  for (const [json] of items.values() as [string][]) {
    const { shoe, workoutIds } = JSON.parse(json) as { shoe: { id: string }; workoutIds: readonly string[] }
    if (isThere.get(shoe.id) === null) for (const id of workoutIds) wear.run(shoe.id, id)
  }
}

/** Scores of a change of zones that the end of the process interrupted, so that the start takes them back. */
function moveScores(client: Database): void {
  const rows = rowsOf(
    client,
    `SELECT s.*, d.asked FROM old_effort_before AS s JOIN document AS d ON d.id = s.workout_id
     JOIN old_workout AS w ON w.id = s.workout_id AND w.inputs_revision = s.inputs_revision AND w.effort_zones = s.new_zones`,
  )
  const insert = client.query('INSERT INTO effort_before VALUES (?, 0, ?, ?, ?, ?)')
  for (const { workoutId, relativeEffort, hrZoneSeconds, effortZones, ours, asked } of rows) {
    const { ours: _, ...now } = JSON.parse(String(asked)) as Record<string, unknown>
    const oursBefore = JSON.parse(String(ours)) as string[]
    const before = {
      ...now,
      zones: effortZones == null ? null : JSON.parse(String(effortZones)),
      ...(oursBefore.length === 0 ? {} : { ours: oursBefore }),
    }
    insert.run(String(workoutId), String(asked), relativeEffort ?? null, hrZoneSeconds ?? null, JSON.stringify(before))
  }
}
