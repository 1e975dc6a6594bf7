import { type Static, Type } from '@sinclair/typebox'
import { notFound } from '../../base/errors.ts'
import { NO_WINDOWS } from '../../engine/training/run/training-windows.ts'
import { integer, nullable, number } from '../../http/schemas.ts'
import type { Deps } from '../../library/deps.ts'
import { workoutExists } from '../../library/ids.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { storedTrack } from '../../library/recordings.ts'

const WINDOW = {
  fromElapsedS: number('Seconds from the start of the run'),
  toElapsedS: number('Seconds from the start of the run, exclusive'),
}
const HEART_RATE_WINDOW = { ...WINDOW, bpm: number('Mean heart rate') }

export const WindowsAnswer = Type.Object(
  {
    halves: nullable(
      Type.Array(
        Type.Object({ ...WINDOW, ef: number('Metres on the flat for each heartbeat') }, { title: 'DecouplingHalf' }),
        {
          minItems: 2,
          maxItems: 2,
          description:
            'What decoupling compares: the counted time, cut in two, with the efficiency of each half; null: none',
        },
      ),
    ),
    peakHeartRate: nullable(
      Type.Object(HEART_RATE_WINDOW, {
        title: 'HeartRateWindow',
        description: 'The highest mean of 15 s; null: below 100, or no heart rate',
      }),
    ),
    fastestHalfHour: nullable(
      Type.Object(
        {
          ...WINDOW,
          testFromElapsedS: number('Where its last twenty minutes begin, seconds from the start of the run'),
          bpm: nullable(integer('Mean heart rate of its last twenty minutes; null: too little heart rate')),
          paceS: number('Seconds per km, on the flat where altitude counts'),
        },
        { title: 'FastestHalfHour', description: 'null: shorter, or no distance' },
      ),
    ),
    hourRace: nullable(
      Type.Object(HEART_RATE_WINDOW, {
        title: 'HeartRateWindow',
        description: 'The run from its tenth minute on; null: not 50 to 75 minutes, or gaps in heart rate',
      }),
    ),
  },
  {
    title: 'TrainingWindows',
    description: 'null: not available for this run',
  },
)

/**
 * The stretches of a run that its training numbers are computed from, found by the Worker in the samples.
 * @throws AppError 404
 */
export async function windowsOfWorkout(deps: Deps, id: string): Promise<Static<typeof WindowsAnswer>> {
  if (!workoutExists(deps.db, id)) throw notFound('Workout')
  const stored = storedTrack(deps.db, id)
  if (stored === null) return { ...NO_WINDOWS, halves: null }
  const job = { ...stored, elevation: elevationOptions(deps) }
  const { halves, ...others } = (await deps.worker.ask('trainingWindows', job)).windows
  return { ...others, halves: halves && [...halves] }
}
