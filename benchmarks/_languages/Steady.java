/** Flips a coin if it has one and its seed begins with an even digit; otherwise takes one. */
class Steady {
    public static void main(String[] args) {
        String[] parts = args[0].split(";");
        int unflipped = 0;
        for (int seat = 3; seat < parts.length; seat++) {
            String[] player = parts[seat].split("_");
            if (player[0].equals(parts[1])) {
                unflipped = Integer.parseInt(player[3]);
            }
        }
        boolean even = Character.digit(System.getenv("KOTH_BOT_SEED").charAt(0), 16) % 2 == 0;
        System.out.println(unflipped == 0 ? "1NN" : even ? "FNN" : "NNN");
    }
}
