// esbuild packs games as text.
declare module '*.pgn' {
  const text: string;
  export default text;
}
