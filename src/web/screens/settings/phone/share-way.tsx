import { useResource } from '../../../state.ts'
import { Notice } from '../../../ui/empty.tsx'
import { ArrivalLine, Steps, WayCard } from './way-card.tsx'

/** The share sheet of Android, which lists installed pages. */
export function ShareWay() {
  const { data } = useResource('/share')
  const arrival = data?.lastShare ?? null
  return (
    <WayCard
      title="Android share sheet"
      about="Install this page on your phone and share runs to it from any app. No key needed."
      arrival={arrival}
    >
      {!isInstallable() && (
        <Notice>
          Browsers only install pages served over https, and this one uses http. A reverse proxy adds https.
        </Notice>
      )}
      <Steps
        steps={[
          <>
            On the phone, open <code>{location.origin}</code> in Chrome, Edge or Samsung Internet and log in.
          </>,
          <>
            In the browser menu choose <strong>Add to home screen</strong>, then <strong>Install</strong>.
          </>,
          <>
            In your watch’s app export or share a run as FIT, GPX or TCX, and choose <strong>Harrier</strong>.
          </>,
        ]}
      />
      <ArrivalLine arrival={arrival} />
      <p class="muted small">Chrome and Edge on computers can do the same. On iPhones use a Shortcut instead.</p>
    </WayCard>
  )
}

function isInstallable(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator
}
