import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link, useRoute } from '../../router.ts'
import { Skeleton } from '../../ui/button.tsx'
import { Empty, Lazy } from '../../ui/loaded.tsx'
import { TERMS } from '../../words.ts'
import { FitnessView } from './fitness-view.tsx'
import { FormView } from './form-view.tsx'
import './training.css'

/** Address and label of each tab. */
const VIEWS = [
  ['form', TERMS.form, FormView],
  ['fitness', TERMS.fitness, FitnessView],
  ['better', 'Better?', later(() => import('./better-view.tsx').then((part) => part.BetterView))],
  ['endurance', 'Endurance', later(() => import('./endurance-view.tsx').then((part) => part.EnduranceView))],
  [
    'goals',
    <>
      Goals<span> and races</span>
    </>,
    later(() => import('./goals-view.tsx').then((part) => part.GoalsView)),
  ],
  ['calendar', 'Calendar', later(() => import('./calendar-view.tsx').then((part) => part.CalendarView))],
] as const

/** A view whose code is loaded when it is opened. */
function later(load: () => Promise<ComponentType>) {
  return () => <Lazy load={load} props={{}} waiting={waiting} />
}

function waiting(failure: string | null) {
  return failure === null ? <Skeleton height="420px" /> : <Empty icon="warning" title={failure} />
}

/** The training views: load, form and everything derived from them. */
export function Training() {
  const { query } = useRoute()
  const title = useRef<HTMLHeadingElement>(null)
  const asked = query.get('view')
  const [here, , View] = VIEWS.find(([name]) => name === (asked === 'races' ? 'goals' : asked)) ?? VIEWS[0]
  // the code was loaded after the change of view, so the heading is focused here
  useEffect(() => {
    if (document.activeElement?.matches('.nav-link') === true) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="page training">
      <div class="page-head">
        <h1 tabIndex={-1} ref={title}>
          Training
        </h1>
      </div>
      <nav class="training-tabs flow" aria-label="Views of training">
        {VIEWS.map(([name, text]) => (
          <Link
            key={name}
            href={`/app/training?view=${name}`}
            isReplacing
            {...(name === here ? { 'aria-current': 'page' as const } : {})}
          >
            {text}
          </Link>
        ))}
      </nav>
      <View key={here} />
    </div>
  )
}
