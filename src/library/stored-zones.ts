import type { Tx } from '../db/open.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { deriveRun } from '../workers/derive.ts'
import { runJob } from './inputs.ts'
import { writeRun } from './numbers.ts'
import { zonesOrDefault } from './settings.ts'

/** Scores a stored run again when the runner changed the zones while it was analysed. */
export function scoreWithStoredZones(
  tx: Tx,
  { id, run, nowMs }: { readonly id: string; readonly run: AnalyzedRun; readonly nowMs: number },
): void {
  const zones = zonesOrDefault(tx)
  if (Bun.deepEquals(zones, run.zones)) return
  const job = runJob(tx, id, run.elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun({ ...job, zones }), zones, elevation: run.elevation, nowMs })
}
