import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { date } from '../../../format.ts'
import type { ApiKey } from '../../../types.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/empty.tsx'
import { useSubmit } from '../../../use-submit.ts'
import { CopiedText } from '../copied-text.tsx'
import { KEYS } from '../keys-path.ts'
import { QrCode } from './qr-code.tsx'
import { ArrivalLine, Steps, WayCard } from './way-card.tsx'
import type { AddressWay as Way } from './ways.tsx'

/** Uploads to an address that contains a key with the scope upload. @param props.keys all API keys */
export function AddressWay({ way, keys }: { readonly way: Way; readonly keys: readonly ApiKey[] }) {
  const { label, title, about, steps, after } = way
  const [made, setMade] = useState<{ readonly id: string; readonly address: string } | null>(null)
  const { isBusy, fault, submit } = useSubmit(async () => {
    const { id, key } = await api.send('POST', KEYS, { label, scope: 'upload' })
    setMade({ id, address: `${location.origin}/in/${key}` })
  })
  const own = keys.filter((key) => key.label === label && key.scope === 'upload' && key.revokedAt === null)
  // the newest first
  const key = made === null ? own[0] : own.find(({ id }) => id === made.id)
  const arrival = key?.lastUpload ?? null
  return (
    <WayCard title={title} about={about} arrival={arrival}>
      {fault !== null && <Notice kind="bad">{fault}</Notice>}
      {made !== null && (
        <>
          <div class="way-address">
            <QrCode text={made.address} label={`Address for ${title} as a QR code`} />
            <div class="form">
              <CopiedText id={made.id} value={made.address} what="the address" />
              <p class="muted small">
                Shown only once. Anyone who knows it can send runs to your log, nothing else. You can revoke it under
                API keys.
              </p>
            </div>
          </div>
          <ArrivalLine arrival={arrival} />
        </>
      )}
      {made !== null || key !== undefined ? (
        <Steps steps={steps} />
      ) : (
        <p class="muted small">This needs an upload-only address. The steps appear with it.</p>
      )}
      {made !== null && after !== undefined && <p class="muted small">{after}</p>}
      {made === null && (
        <form class="actions start" onSubmit={submit}>
          <Button type="submit" icon="key" isBusy={isBusy}>
            {key === undefined ? 'Create address' : 'Create new address'}
          </Button>
          {key !== undefined && <span class="muted small">The address of {date(key.createdAt)} stays valid.</span>}
        </form>
      )}
    </WayCard>
  )
}
