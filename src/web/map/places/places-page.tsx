import { useState } from 'preact/hooks'
import { api, failureText } from '../../api.ts'
import { counted, date, distance, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Pending } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { toastDone } from '../../undo.ts'
import { mapPath, viewAt } from '../map-address.ts'
import { EndsSetting } from './ends-setting.tsx'
import { HideDialog } from './hide-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { LEAST_RUNS, type Place } from './place.ts'
import './places.css'

const PLACE_ZOOM = 14

/** Where runs start: names, home, and what others don't see. */
export function PlacesPage() {
  const { data, error } = useResource('/places')
  const [asked, setAsked] = useState<{ readonly what: 'name' | 'hide'; readonly place: Place } | null>(null)
  const places = (data?.places ?? []).filter(({ id, runs }) => id !== null || runs >= LEAST_RUNS)
  return (
    <div class="page places">
      <div class="page-head">
        <h1 tabIndex={-1}>Places</h1>
        <Link href="/app/map">Map</Link>
      </div>
      {data === null ? (
        <Pending error={error} count={5} height="72px" />
      ) : places.length === 0 ? (
        <div class="card">
          <Empty icon="streets" title="No places yet">
            Places where at least {LEAST_RUNS} of your runs start appear here.
          </Empty>
        </div>
      ) : (
        <ul class="place-list stack">
          {places.map((place) => (
            <PlaceRow
              key={place.id ?? `${place.lat} ${place.lon}`}
              place={place}
              onName={() => {
                if (place.id === null && place.suggested !== null) void nameAs(place.suggested, place)
                else setAsked({ what: 'name', place })
              }}
              onHide={() => setAsked({ what: 'hide', place })}
            />
          ))}
        </ul>
      )}
      {data !== null && <EndsSetting />}
      {asked?.what === 'name' && <NameDialog place={asked.place} onClose={() => setAsked(null)} />}
      {asked?.what === 'hide' && <HideDialog place={asked.place} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface PlaceRowProps {
  readonly place: Place
  readonly onName: () => void
  readonly onHide: () => void
}

function PlaceRow({ place, onName, onHide }: PlaceRowProps) {
  const units = useUnits()
  const { id, name, runs, hideM, isHome } = place
  const title = name ?? suggestionOf(place)
  return (
    <li class="card place">
      <div class="place-name">
        <h2 class={name === null ? 'muted' : ''}>{title}</h2>
        {isHome && name !== 'Home' && <span class="muted small">Home</span>}
        {hideM !== null && (
          <span class="muted small">
            <Icon name="minus" /> Hidden: {text(distance(hideM, units, 1))} around it
          </span>
        )}
      </div>
      <div class="place-actions level gap-2">
        {id === null ? (
          <Button size="small" onClick={onName} aria-label={`Name it: ${title}`}>
            Name it
          </Button>
        ) : (
          <Menu
            label={`Actions for ${title}`}
            items={[
              { text: 'Rename…', icon: 'edit', onChoose: onName },
              ...(isHome ? [] : [{ text: 'Make home', icon: 'star', onChoose: () => void makeHome(id) } as const]),
              { text: 'Hide from others…', icon: 'key', onChoose: onHide },
              { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: () => void remove(id, title) },
            ]}
          />
        )}
      </div>
      <p class="muted small">
        {runs === 0 ? (
          'No runs start here'
        ) : (
          <>
            <Link href={mapPath({ time: '', type: '', shoe: '', layer: '' }, viewAt(place, PLACE_ZOOM))}>
              {counted(runs, 'run')}
            </Link>
            {` · ${text(distance(place.distanceM, units, 0))}`}
            {place.lastAt !== null && ` · last ${date(place.lastAt, 'short', place.lastUtcOffsetMinutes)}`}
          </>
        )}
      </p>
    </li>
  )
}

function suggestionOf({ suggested, lat, lon }: Place): string {
  return suggested ?? `${lat.toFixed(3)}, ${lon.toFixed(3)}`
}

/** One tap takes the name that is suggested; it can be changed then. */
async function nameAs(name: string, { lat, lon }: Place): Promise<void> {
  try {
    await api.send('POST', '/places', { name, lat, lon })
    toast(`Named ${name}`)
  } catch (error) {
    toast(failureText(error))
  }
}

async function makeHome(id: string): Promise<void> {
  try {
    await api.send('PATCH', `/places/${id}`, { isHome: true })
  } catch (error) {
    toast(failureText(error))
  }
}

async function remove(id: string, title: string): Promise<void> {
  try {
    toastDone(`${title} deleted`, [await api.change('DELETE', `/places/${id}`)])
  } catch (error) {
    toast(failureText(error))
  }
}
