import { number, signed } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { FormToday } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery, today } from '../stats.ts'
import { confidenceWords } from './estimate.tsx'
import { FormChart } from './form-chart.tsx'
import type { FormSeries } from './form-series.ts'
import { fitnessWords, isWarmingUp } from './form-words.ts'
import { countdownTo } from './races/race-words.ts'
import { Room } from './room.tsx'
import { useFormSeries } from './use-form-series.ts'
import './today-card.css'

const DAYS_SHOWN = 41

/** Today's form as a word and a number, with the last six weeks. */
export function TodayCard() {
  const now = useResource(`/training/today?${offsetQuery()}`)
  const { series, error } = useFormSeries(DAYS_SHOWN)
  const failure = now.error ?? error
  const isThere = now.data !== null && series !== null
  return (
    <Card title="Form today" class="today-card" aside={<Link href="/app/training">Training</Link>}>
      {isThere ? (
        <div class="today-body">
          <div>
            <NextRace ahead={series.usual} />
            <Words now={now.data} />
          </div>
          {series.days.length > 0 && <FormChart series={series} isSmall />}
        </div>
      ) : (
        failure !== null && <LoadFailure message={failure.message} />
      )}
    </Card>
  )
}

/** The next planned race; of one in the days ahead also the form on its morning. */
function NextRace({ ahead }: { readonly ahead: FormSeries['usual'] }) {
  const units = useUnits()
  const { data } = useResource(`/races?${offsetQuery()}&from=${today()}`)
  const race = (data ?? []).findLast(({ workoutId }) => workoutId === null)
  if (race === undefined) return null
  const on = ahead.find(({ date }) => date === race.date)
  return (
    <p>
      <Link href="/app/training?view=races">{countdownTo(race, units)}</Link>
      {on !== undefined && ` · form ${signed(on.form)} if you train as usual`}
    </p>
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
      <div class="muted small">
        <Room now={now} />
      </div>
      {isWarmingUp(now) && <p class="muted small">{TERMS.warmingUp}</p>}
    </div>
  )
}
