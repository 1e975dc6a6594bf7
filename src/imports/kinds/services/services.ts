import { healthConnect } from '../databases/health-connect.ts'
import { workoutTracker } from '../databases/workout-tracker.ts'
import type { TakeoutKind } from '../kind.ts'
import { endurain } from './endurain.ts'
import { fitTrackee } from './fittrackee.ts'
import { goldenCheetah, healthAutoExport, nike } from './json-services.ts'
import { polarFlow } from './polar.ts'
import { runkeeper } from './runkeeper.ts'
import { runtastic } from './runtastic.ts'

/** Services whose runs are files or rows; those that are recognised by names come before those recognised by content. */
export const SERVICES: readonly TakeoutKind[] = [
  ...[runkeeper, runtastic, polarFlow, fitTrackee, endurain],
  ...[workoutTracker, healthConnect],
  ...[goldenCheetah, nike, healthAutoExport],
]
