export default function Page() {
  return <a href="/api/plain">plain</a>;
}
