import { number, signed } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import type { FormToday } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { offsetQuery } from '../stats.ts'
import { confidenceWords } from './estimate.tsx'
import { FormChart } from './form-chart.tsx'
import { fitnessWords, isWarmingUp, roomWords } from './form-words.ts'
import { useFormSeries } from './use-form-series.ts'
import './today-card.css'

const DAYS_SHOWN = 41

/** Today's form as a word and a number, with the last six weeks. */
export function TodayCard() {
  const now = useResource<FormToday>(`/training/today?${offsetQuery()}`)
  const { series, error, reload } = useFormSeries(DAYS_SHOWN)
  const failure = now.error ?? error
  const isThere = now.data !== null && series !== null
  const again = () => {
    now.reload()
    reload()
  }
  return (
    <Card title="Form today" class="today-card" aside={<Link href="/app/training">Training</Link>}>
      {isThere ? (
        <div class="today-body">
          <Words now={now.data} />
          {series.days.length > 0 && <FormChart series={series} isSmall />}
        </div>
      ) : (
        failure !== null && <LoadFailure message={failure.message} onRetry={again} />
      )}
    </Card>
  )
}

function Words({ now }: { readonly now: FormToday }) {
  const { form, formWord } = now
  return (
    <div>
      <p class="today-form">
        <strong>{form.value === null ? number(null) : signed(form.value)}</strong> {formWord}
      </p>
      <p>
        Fitness {fitnessWords(now)}. <span class="muted small today-sure">{confidenceWords(now.fitness)}</span>
      </p>
      <p class="muted small">{roomWords(now)}</p>
      {isWarmingUp(now) && <p class="muted small">Warming up: after 42 days of runs this is steady.</p>}
    </div>
  )
}
