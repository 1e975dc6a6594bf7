import { useEffect, useRef } from 'preact/hooks'
import { Link, useRoute } from '../../router.ts'
import { FitnessView } from './fitness-view.tsx'
import { FormView } from './form-view.tsx'
import './training.css'

// one part to fetch: the bundler would cut what both share out of it, for the start of the page
export { TodayCard } from './today-card.tsx'

/** Names in the address, words in the tab. */
const VIEWS = [
  ['form', 'Form', FormView],
  ['fitness', 'Fitness', FitnessView],
] as const

/** Load, form and what follows from them. */
export function Training() {
  const { query } = useRoute()
  const title = useRef<HTMLHeadingElement>(null)
  const asked = query.get('view')
  const [here, , View] = VIEWS.find(([name]) => name === asked) ?? VIEWS[0]
  // the part came after the change of the view, when nothing of it could be focused
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
      <nav class="training-tabs" aria-label="Views of training">
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
      <View />
    </div>
  )
}
