import { useResource } from '../../../state.ts'
import type { Arrival } from '../../../types.ts'
import { Notice } from '../../../ui/empty.tsx'
import { ArrivalLine, Steps, WayCard } from './way-card.tsx'

/** The share sheet of Android, which lists installed pages. */
export function ShareWay() {
  const { data } = useResource<{ lastShare: Arrival | null }>('/share')
  const arrival = data?.lastShare ?? null
  return (
    <WayCard
      title="Android: the share sheet"
      about="Install this page on the phone, and share runs to it from any app. No key is needed."
      arrival={arrival}
    >
      {!isInstallable() && (
        <Notice>
          Browsers install only pages that come over https, and this one came over http. A proxy in front of Harrier
          gives it https.
        </Notice>
      )}
      <Steps
        steps={[
          <>
            On the phone open <code>{location.origin}</code> in Chrome, Edge or Samsung Internet and log in.
          </>,
          <>
            In the menu of the browser choose <strong>Add to home screen</strong>, then <strong>Install</strong>.
          </>,
          <>
            In the app of your watch export or share a run as FIT, GPX or TCX, and choose <strong>Harrier</strong>.
          </>,
        ]}
      />
      <ArrivalLine arrival={arrival} />
      <p class="muted small">
        Chrome and Edge on computers do the same. iPhones do not offer pages to their share sheet: a Shortcut does that.
      </p>
    </WayCard>
  )
}

function isInstallable(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator
}
