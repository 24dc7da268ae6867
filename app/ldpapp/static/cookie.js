// What this browser brings along when it opens the dashboard again: for it alone, and not for long.
export default function ({ data }) {
  document.cookie = `${data.name}=${data.value}; path=/; max-age=${data.seconds}; SameSite=Strict`;
}
