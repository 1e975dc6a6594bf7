import { useState } from 'preact/hooks'
import { useResource, useUnits } from '../../state.ts'
import { Pending } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Sources } from '../types.ts'
import { Corrections } from './corrections.tsx'
import { Merged } from './merged.tsx'
import { Recordings } from './recordings.tsx'
import { isPart, repairLines } from './repair-words.ts'
import { numberLines } from './source-words.ts'
import './sources.css'

interface SourcesCardProps {
  readonly runId: string
}

/** Path of the sources call, also its cache key. */
export function sourcesPath(runId: string): `/workouts/${string}/sources` {
  return `/workouts/${runId}/sources`
}

/** The origin of each number; loaded when opened, since every recording is analysed for it. */
export function SourcesCard({ runId }: SourcesCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="card run-sources" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Where these numbers come from</h2>
        <Icon name="below" />
      </summary>
      {isOpen && <LoadedSources runId={runId} />}
    </details>
  )
}

function LoadedSources({ runId }: SourcesCardProps) {
  const units = useUnits()
  const { data, error } = useResource(sourcesPath(runId))
  if (data === null) {
    return (
      <div aria-busy={error === null}>
        <Pending error={error} count={8} height="1.5rem" />
      </div>
    )
  }
  return (
    <div class="stack gap-5 small">
      <Corrections runId={runId} {...data} />
      <Recordings runId={runId} recordings={data.recordings} />
      <Merged runId={runId} recordings={data.recordings} />
      <Repairs sources={data} />
      <dl class="sources-numbers">
        {numberLines(data, units).map(({ name, value, from, differing, agreeing }) => (
          <div class="sources-number" key={name}>
            <dt>{name}</dt>
            <dd class="sources-value">{value}</dd>
            <dd class="muted">{from}</dd>
            {(differing !== null || agreeing !== null) && (
              <dd class="sources-others">
                {differing !== null && <span>{differing}</span>}
                {agreeing !== null && <span class="muted">{agreeing}</span>}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

function Repairs({ sources }: { readonly sources: Sources }) {
  const units = useUnits()
  const lines = repairLines(sources, units)
  if (lines.length === 0) return null
  return (
    <ul class="sources-repairs stack gap-1" aria-label="Changes">
      {lines.map(({ id, text, undone }) => (
        <li key={id} class={undone === null ? '' : 'muted'}>
          {text}
          {undone !== null && <span class="sources-undone">{undone}</span>}
        </li>
      ))}
      {isPart(sources.repairs) && <li class="muted">The numbers below are for the remaining part.</li>}
    </ul>
  )
}
