import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useIsHiding, useShare } from '../asked.ts'
import { saveBytes } from '../downloads.ts'
import { Link } from '../router.ts'
import { SHARED_PARTS, type SharedPart, sharedViewPath, sharedWords, shownWords } from '../share-words.ts'
import { useResource, useUnits } from '../state.ts'
import type { Share, SharedView } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { CopiedText } from '../ui/copied-text.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Check, Select, useFields, useSubmit } from '../ui/form.tsx'
import { Loaded, Notice } from '../ui/loaded.tsx'
import type { Detail } from './run-view.ts'

const all = { map: true, pace: true, heartRate: true, photos: true, notes: true, startTime: true }
/** As the service has it. */
const usual = { ...all, heartRate: false, photos: false, notes: false, startTime: false }

const DAYS = { '7': '7 days', '30': '30 days', '365': '1 year', '': 'Until withdrawn' }

/** What others see of a run, the address at which they do, and a picture of the same. */
export function ShareDialog({ run, onClose }: { readonly run: Detail; readonly onClose: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const shares = useResource('/shares')
  const seen = useResource(sharedViewPath(run.id, all))
  if (isAsking) return <WithdrawShare workoutId={run.id} onClose={() => setAsking(false)} />
  return (
    <Dialog title="Share this run" onClose={onClose}>
      <Loaded of={{ data: shares.data && seen.data, error: shares.error ?? seen.error }} height="260px">
        {(view) => <ShareForm run={run} seen={view} onWithdraw={() => setAsking(true)} />}
      </Loaded>
    </Dialog>
  )
}

/** Asks before an address stops working. */
export function WithdrawShare({ workoutId, onClose }: { readonly workoutId: string; readonly onClose: () => void }) {
  return (
    <Confirm
      title="Withdraw this link?"
      action="Withdraw"
      onConfirm={() => api.send('DELETE', `/workouts/${workoutId}/share`)}
      onClose={onClose}
    >
      <p class="muted">It stops working immediately. A new link has another address.</p>
    </Confirm>
  )
}

interface ShareFormProps {
  readonly run: Detail
  /** Everything that could be shown. */
  readonly seen: SharedView
  readonly onWithdraw: () => void
}

function ShareForm({ run, seen, onWithdraw }: ShareFormProps) {
  const units = useUnits()
  const share = useShare(run.id)
  const isMade = useRef(false)
  const { values, choice } = useFields<Share['show'] & { readonly days: string }>({
    ...(share?.show ?? usual),
    days: '30',
  })
  const has: Readonly<Record<SharedPart, boolean>> = {
    map: seen.route !== null,
    pace: seen.paceS !== null,
    heartRate: seen.avgHeartRateBpm !== null || seen.series?.heartRateBpm != null,
    photos: seen.photos.length > 0,
    notes: seen.notes !== null,
    startTime: true,
  }
  const parts = SHARED_PARTS.filter(([part]) => has[part])
  const show = Object.fromEntries(SHARED_PARTS.map(([part]) => [part, has[part] && values[part]])) as Share['show']
  const link = useSubmit(async () => {
    const days = values.days === '' ? null : Number(values.days)
    await api.send('POST', `/workouts/${run.id}/share`, { days, show })
    isMade.current = true
  })
  // the button that made it was busy and lost the focus
  useEffect(() => {
    if (isMade.current) document.querySelector<HTMLElement>('#share-address + .actions .button')?.focus()
  }, [share?.url])
  const picture = useSubmit(async () => {
    const { sharePicture } = await import('./share-picture.ts')
    const view = await api.get(sharedViewPath(run.id, show))
    saveBytes(await sharePicture(view, units), `${view.date}-run.png`)
  })
  const fault = link.fault ?? picture.fault
  return (
    <>
      {share !== null && <SharedLink share={share} seen={seen} onWithdraw={onWithdraw} />}
      <form class="form" onSubmit={link.submit}>
        <p id="shared-always">
          {share === null
            ? 'Anyone with the link can see name, date, distance, time and elevation, and what you select.'
            : 'A new link can show something else or last longer. It replaces this one.'}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and margins of its own */}
        <div role="group" aria-labelledby="shared-always" class="share-parts">
          {parts.map(([part, name]) => (
            <Check key={part} checked={choice(part).value} onValue={choice(part).onValue}>
              {name}
            </Check>
          ))}
        </div>
        <Select label="Link works for" {...choice('days')} options={Object.entries(DAYS)} />
        <Hidden run={run} seen={seen} isMapShown={show.map} />
        {fault !== null && <Notice kind="bad">{fault}</Notice>}
        <div class="actions">
          <Button icon="download" isBusy={picture.isBusy} onClick={(event) => void picture.submit(event)}>
            Save as picture
          </Button>
          <Button kind={share === null ? 'primary' : 'plain'} icon="share" type="submit" isBusy={link.isBusy}>
            {share === null ? 'Create link' : 'Replace link'}
          </Button>
        </div>
      </form>
    </>
  )
}

interface SharedLinkProps extends Pick<ShareFormProps, 'seen' | 'onWithdraw'> {
  readonly share: Share
}

function SharedLink({ share, seen, onWithdraw }: SharedLinkProps) {
  const address = location.origin + share.url
  const canSend = 'share' in navigator && matchMedia('(pointer: coarse)').matches
  // it is rejected when the runner changes their mind
  const send = () => navigator.share({ title: seen.name ?? 'Run', url: address }).catch(() => {})
  return (
    <div class="stack">
      <CopiedText id="share-address" value={address}>
        {canSend && (
          <Button icon="share" onClick={() => void send()}>
            Send…
          </Button>
        )}
        <a class="button" href={share.url} target="_blank" rel="noopener">
          Open
        </a>
        <Button kind="danger" onClick={onWithdraw}>
          Withdraw
        </Button>
      </CopiedText>
      <p class="muted small">
        {sharedWords(share)} · {shownWords(share.show)}
      </p>
    </div>
  )
}

/** What others don't see, or that they see where the run began. */
function Hidden({ run, seen, isMapShown }: Omit<ShareFormProps, 'onWithdraw'> & { readonly isMapShown: boolean }) {
  const isHiding = useIsHiding(seen.route !== null)
  const kept = [run.name !== seen.name && 'name', run.notes !== seen.notes && 'notes'].filter((part) => part !== false)
  const isOpen = seen.route !== null && isMapShown && !seen.isTrimmed
  if (!isOpen && !seen.isTrimmed && kept.length === 0) return null
  return (
    <Notice icon={isOpen && !isHiding ? 'warning' : 'info'}>
      {seen.isTrimmed &&
        (seen.route === null && run.hasRoute
          ? 'All of this route is hidden, so others see no map. '
          : 'Parts of this run are hidden. Others see only the rest, and the numbers are of the rest. ')}
      {kept.length > 0 && `Others don’t see its ${kept.join(' or ')}, which could give hidden places away. `}
      {isOpen &&
        (isHiding ? (
          'Your hidden places aren’t on this route: others see all of it.'
        ) : (
          <>
            Others see where this run starts and finishes. <Link href="/app/places">Hide places or ends first</Link> if
            that’s your home.
          </>
        ))}
    </Notice>
  )
}
