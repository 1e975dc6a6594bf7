import { useState } from 'preact/hooks'
import { date } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { HighestHeartRate, Zones } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Storage key of the heart rate that the runner dismissed without changing the zones. */
const SEEN_KEY = 'harrier.pulse'

/** Suggests reviewing zones that end below a heart rate in the log; it changes nothing by itself. */
export function PulseCard() {
  const { data } = useResource<HighestHeartRate>('/stats/highest-heart-rate')
  const zones = useResource<Zones>('/settings/heart-rate-zones')
  const [seenBpm, setSeenBpm] = useState(() => Number(localStorage.getItem(SEEN_KEY) ?? 0))
  const highest = data?.highest ?? null
  const topBpm = zones.data?.zones.at(-1)?.maxBpm
  if (highest === null || topBpm === undefined) return null
  const { heartRateBpm, workoutId, workoutName } = highest
  if (heartRateBpm <= topBpm || heartRateBpm <= seenBpm) return null
  const dismiss = () => {
    localStorage.setItem(SEEN_KEY, String(heartRateBpm))
    setSeenBpm(heartRateBpm)
  }
  const day = date(highest.date)
  return (
    <section class="card pulse" aria-label="Heart-rate zones">
      <Icon name="heart" />
      <p>
        Your heart reached {heartRateBpm} bpm on{' '}
        <Link href={`/app/runs/${workoutId}`}>{workoutName === null ? day : `${day}, ${workoutName}`}</Link>, above the{' '}
        {topBpm} bpm at which your zones end. If that is no error of the sensor, your efforts come out too high.
      </p>
      <div class="pulse-actions">
        <Link href="/app/settings#zones" class="button small">
          Look at the zones
        </Link>
        <Button kind="quiet" size="small" onClick={dismiss}>
          Leave them
        </Button>
      </div>
    </section>
  )
}
