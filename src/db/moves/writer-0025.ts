import type { Database } from 'bun:sqlite'
import { isLookedUp, type Moved, moved, type OldRun, type Row, type Stretch, type Value } from './before-0025.ts'

/** Writes what was made of runs. */
export type Writer = ReturnType<typeof writerOf>

export function writerOf(client: Database) {
  const document = client.query('INSERT INTO document (id, seq, revision, body, asked, gone) VALUES (?, 0, ?, ?, ?, ?)')
  const name = client.query('INSERT OR IGNORE INTO naming (run_id, recording_id, place, live) VALUES (?, ?, ?, ?)')
  const observe = client.query('INSERT OR IGNORE INTO observation (run_id, hour, weather) VALUES (?, ?, ?)')
  const state = client.query(`UPDATE recording SET splits = ?1 WHERE id = ?2
    AND (splits IS NULL OR (json_type(splits, '$[0]') IS NOT 'object' AND json_type(?1, '$[0]') = 'object'))`)
  const unsay = client.query('UPDATE recording SET weather = NULL WHERE id = ?')
  return {
    moved: (run: OldRun): Moved => moved(run, countedOf(client, run)),
    /** @param gone what the trash shows; null: it is not there */
    document: (id: string, { body, asked }: Moved, revision: Value | undefined, gone: object | null): void => {
      const text = gone === null ? JSON.stringify(body) : null
      document.run(id, Number(revision ?? 0), text, JSON.stringify(asked), gone && JSON.stringify(gone))
    },
    /** Keeps what is a fact: weather that was looked up, and splits that were stated. */
    facts: (id: string, { observations, stated }: Moved): void => {
      for (const { hour, weather } of observations) observe.run(id, hour, weather)
      if (stated !== null) state.run(JSON.stringify(stated.splits), stated.recordingId)
    },
    /** Names recordings in their order, after those that are named already. */
    name: (id: string, recordings: readonly Row[], isLive: boolean): void => {
      const [[before = 0] = []] = client.query('SELECT count(*) FROM naming WHERE run_id = ?').values(id) as [number][]
      for (const [place, recording] of recordings.entries()) {
        name.run(id, String(recording.id), before + place, isLive ? 1 : 0)
        if (isLookedUp(recording.weather)) unsay.run(String(recording.id))
      }
    },
  }
}

/** The stretches of recordings that a joined run counts, where it does not count all of them; else empty. */
function countedOf(client: Database, { recordings, repairs }: OldRun): Stretch[] {
  if (repairs.every(({ kind }) => kind !== 'join')) return []
  const counted = recordings.flatMap((row) => {
    if (row.fileSha256 === null) return []
    const recordedMs = (at: Value | undefined) => (at == null ? null : Number(at) - Number(row.startedAt))
    const fromMs = recordedMs(row.partFromMs)
    const toMs = fromMs === null ? recordedMs(firstPartMs(client, row)) : recordedMs(row.partToMs)
    return [{ recordingId: String(row.id), fromMs: fromMs ?? 0, toMs: toMs ?? Number.MAX_SAFE_INTEGER }]
  })
  return counted.some(({ fromMs, toMs }) => fromMs > 0 || toMs < Number.MAX_SAFE_INTEGER) ? counted : []
}

/** When the first part of a split recording ends; null: it was not split. */
function firstPartMs(client: Database, { fileSha256, fileSession }: Row): number | null {
  const sql = `SELECT min(part_from_ms) FROM old_recording
    WHERE file_sha256 = ? AND file_session IS ? AND part_from_ms IS NOT NULL`
  const [[ms = null] = []] = client.query(sql).values(String(fileSha256), fileSession ?? null) as (number | null)[][]
  return ms
}
