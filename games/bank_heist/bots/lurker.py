"""Never bets, and lives on its paychecks."""

print(0)
