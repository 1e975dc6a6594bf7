import { useState } from 'preact/hooks'
import { date } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TERMS } from '../../words.ts'

/** Storage key of the heart rate that the runner dismissed without changing the zones. */
const SEEN_KEY = 'harrier.pulse'

/** Suggests reviewing zones that end below a heart rate in the log; it changes nothing automatically. */
export function PulseCard() {
  const { data } = useResource('/stats/highest-heart-rate')
  const [seenBpm, setSeenBpm] = useState(() => Number(localStorage.getItem(SEEN_KEY) ?? 0))
  const highest = data?.highest ?? null
  const isNews = highest !== null && highest.heartRateBpm > seenBpm
  const zones = useResource(isNews ? '/settings/heart-rate-zones' : null)
  const topBpm = zones.data?.zones.at(-1)?.maxBpm
  if (!isNews || topBpm === undefined) return null
  const { heartRateBpm, workoutId, workoutName } = highest
  if (heartRateBpm <= topBpm) return null
  const dismiss = () => {
    localStorage.setItem(SEEN_KEY, String(heartRateBpm))
    setSeenBpm(heartRateBpm)
  }
  const day = date(highest.date)
  return (
    <section class="card pulse flow" aria-label={TERMS.heartRateZones}>
      <Icon name="heart" />
      <p>
        Your heart reached {heartRateBpm} bpm on{' '}
        <Link href={`/app/runs/${workoutId}`}>{workoutName === null ? day : `${day}, ${workoutName}`}</Link>, above the{' '}
        top of your zones ({topBpm} bpm). Unless that’s a sensor error, your relative efforts are too high.
      </p>
      <div class="flow">
        <Link href="/app/settings#zones" class="button small">
          Review zones
        </Link>
        <Button kind="quiet" size="small" onClick={dismiss}>
          Keep zones
        </Button>
      </div>
    </section>
  )
}
